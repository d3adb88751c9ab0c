// Tone mapping from HDR to SDR: PQ or HLG → linear light → BT.709 primaries → tone curve → the transfer of an SDR
// display.
//
// Light is measured in units of 100 cd/m², the white of an SDR display, for which the tone curve is designed.

#include "internal.h"

#include <libavutil/mastering_display_metadata.h>
#include <math.h>
#include <string.h>

// The table of linear light has an entry for every 16th 16-bit code value, with linear interpolation in between. PQ
// code values are perceptually uniform, so that the interpolated steps are well below the visible threshold.
enum { LINEAR_STEPS = 4096, CODES_A_STEP = 16, ENCODED_STEPS = 4096 };
static const float largest_code = 65535;

// The peak in cd/m² for HLG, and for PQ clips without metadata: that of the usual mastering display.
static const float nominal_peak = 1000;
static const float unit = 100;
// A peak outside these limits in cd/m² is invalid: below SDR white, or above the maximum of PQ.
static const double least_peak = 100, most_peak = 10000;
// The share of pixels that may be brighter than the peak, such as sparks and ringing artefacts.
static const double share_above_peak = 0.001;

typedef struct gamut {
    float to_bt709[3][3]; // linear RGB to linear RGB, all with the white point D65
    float luminance[3];   // weights of linear RGB
} gamut;

// Derived from the chromaticities of BT.2020-2 and BT.709-6 by the method of SMPTE RP 177; equal to BT.2407-0, section
// 2. The luminance weights are from BT.2020-2, table 4.
static const gamut bt2020 = {
    {{1.660491F, -0.587641F, -0.072850F}, {-0.124550F, 1.132900F, -0.008349F}, {-0.018151F, -0.100579F, 1.118730F}},
    {0.2627F, 0.6780F, 0.0593F},
};
// Derived in the same way from the chromaticities of SMPTE EG 432-1.
static const gamut p3_d65 = {
    {{1.224940F, -0.224940F, 0.0F}, {-0.042057F, 1.042057F, 0.0F}, {-0.019638F, -0.078636F, 1.098274F}},
    {0.2290F, 0.6917F, 0.0793F},
};
// The luminance weights are from BT.709-6, item 3.2.
static const gamut bt709 = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0.2126F, 0.7152F, 0.0722F}};

typedef struct tone_mapper {
    bool is_hlg;
    const gamut *gamut;
    float peak; // the light that becomes white, in units
    float peak_on_curve;
    float linear[LINEAR_STEPS + 1];   // indexed by code value / CODES_A_STEP
    float encoded[ENCODED_STEPS + 1]; // indexed by the square root of light, for more precision in the shadows
} tone_mapper;

bool ccover_is_hdr(const AVFrame *frame) {
    return frame->color_trc == AVCOL_TRC_SMPTE2084 || frame->color_trc == AVCOL_TRC_ARIB_STD_B67;
}

// The reference EOTF of SMPTE ST 2084:2014 (also BT.2100-2, table 4): converts a code value 0…1 to units.
static float light_of_pq(float code) {
    const float m1 = 2610.0F / 16384, m2 = 2523.0F / 4096 * 128;
    const float c1 = 3424.0F / 4096, c2 = 2413.0F / 4096 * 32, c3 = 2392.0F / 4096 * 32;
    float power = powf(code, 1 / m2);
    return 10000 / unit * powf(fmaxf(power - c1, 0) / (c2 - c3 * power), 1 / m1);
}

// The inverse OETF of HLG in BT.2100-2, table 5 (ARIB STD-B67): converts a code value 0…1 to scene light 0…1.
static float scene_light_of_hlg(float code) {
    const float a = 0.17883277F, b = 0.28466892F, c = 0.55991073F;
    return code <= 0.5F ? code * code / 3 : (expf((code - c) / a) + b) / 12;
}

// The OOTF of HLG in BT.2100-2, table 5: F = α · Y^(γ−1) · E, with γ = 1.2 for a display of 1000 cd/m². It is applied
// to the luminance, which preserves hue and saturation, unlike a gamma applied to each channel.
static float hlg_display_factor(const tone_mapper *mapper, const float rgb[3]) {
    const float *weights = mapper->gamut->luminance;
    float luminance = weights[0] * rgb[0] + weights[1] * rgb[1] + weights[2] * rgb[2];
    return nominal_peak / unit * powf(luminance, 0.2F);
}

// John Hable's filmic curve ("Filmic Tonemapping Operators", GDC 2010), as in FFmpeg's tonemap filter: almost linear in
// the shadows, and highlights are compressed without losing their detail.
static float on_curve(float light) {
    const float a = 0.15F, b = 0.50F, c = 0.10F, d = 0.20F, e = 0.02F, f = 0.30F;
    return (light * (light * a + b * c) + d * e) / (light * (light * a + b) + d * f) - e / f;
}

// The inverse of BT.1886, annex 1, for a display with black at 0: the power 2.4. The result has the values of a BT.709
// SDR clip, which are used as sRGB without conversion, so that an HDR clip and its SDR version have the same cover.
// With the piecewise sRGB curve the shadows would be a fifth darker than in the SDR version.
static float encoded_of_root(float root) {
    return powf(root, 2 / 2.4F);
}

static bool is_sane(double peak) {
    return peak >= least_peak && peak <= most_peak;
}

// The peak in cd/m² according to the metadata: MaxCLL, or else the peak of the mastering display.
static double metadata_peak(const AVFrame *frame) {
    const AVFrameSideData *data = av_frame_get_side_data(frame, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL);
    if (data && data->size >= sizeof(AVContentLightMetadata)) {
        double peak = ((const AVContentLightMetadata *)(const void *)data->data)->MaxCLL;
        if (is_sane(peak)) {
            return peak;
        }
    }
    data = av_frame_get_side_data(frame, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA);
    if (data && data->size >= sizeof(AVMasteringDisplayMetadata)) {
        const AVMasteringDisplayMetadata *display = (const void *)data->data;
        bool is_known = display->has_luminance && display->max_luminance.num > 0 && display->max_luminance.den > 0;
        double peak = is_known ? av_q2d(display->max_luminance) : 0;
        if (is_sane(peak)) {
            return peak;
        }
    }
    return nominal_peak;
}

// The code value that the largest channel of almost all pixels stays below.
static uint32_t bright_code(const ccover_picture *picture) {
    size_t counts[LINEAR_STEPS] = {0};
    int channels = ccover_channels(picture->layout);
    for (int y = 0; y < picture->height; y++) {
        const uint16_t *pixel = (const void *)(picture->rows + (size_t)y * picture->row_bytes);
        for (int x = 0; x < picture->width; x++, pixel += channels) {
            uint16_t largest = pixel[0] > pixel[1] ? pixel[0] : pixel[1];
            largest = largest > pixel[2] ? largest : pixel[2];
            counts[largest / CODES_A_STEP] += 1;
        }
    }
    size_t above = (size_t)(share_above_peak * (double)picture->width * (double)picture->height);
    uint32_t step = LINEAR_STEPS - 1;
    for (size_t seen = counts[step]; step > 0 && seen <= above; seen += counts[step]) {
        step -= 1;
    }
    return step * CODES_A_STEP;
}

static const gamut *gamut_of(const AVFrame *frame) {
    switch (frame->color_primaries) {
    case AVCOL_PRI_BT2020:
    case AVCOL_PRI_UNSPECIFIED: // the only primaries of BT.2100
        return &bt2020;
    case AVCOL_PRI_SMPTE431: // its white point differs in cinemas, but files use D65
    case AVCOL_PRI_SMPTE432:
        return &p3_d65;
    default:
        return &bt709;
    }
}

static void fill_tables(tone_mapper *mapper) {
    for (int i = 0; i <= LINEAR_STEPS; i++) {
        float code = fminf((float)(i * CODES_A_STEP) / largest_code, 1);
        mapper->linear[i] = mapper->is_hlg ? scene_light_of_hlg(code) : light_of_pq(code);
    }
    for (int i = 0; i <= ENCODED_STEPS; i++) {
        mapper->encoded[i] = encoded_of_root((float)i / (float)ENCODED_STEPS);
    }
}

static float linear_of(const tone_mapper *mapper, uint16_t code) {
    const float *step = &mapper->linear[code / CODES_A_STEP];
    return step[0] + (step[1] - step[0]) * ((float)(code % CODES_A_STEP) / (float)CODES_A_STEP);
}

// Colours outside BT.709 have a negative channel, which is clipped (BT.2407-0, section 2). Desaturating them until they
// fit would preserve their luminance, but turns BT.2020 red into pink and green into turquoise.
static uint16_t encoded_of(const tone_mapper *mapper, float light) {
    float place = sqrtf(fminf(fmaxf(light, 0), 1)) * (float)ENCODED_STEPS;
    int i = (int)place < ENCODED_STEPS ? (int)place : ENCODED_STEPS - 1;
    float low = mapper->encoded[i], high = mapper->encoded[i + 1];
    return (uint16_t)((low + (high - low) * (place - (float)i)) * largest_code + 0.5F);
}

static void map_pixel(const tone_mapper *mapper, uint16_t *pixel) {
    float rgb[3], mapped[3];
    for (int i = 0; i < 3; i++) {
        rgb[i] = linear_of(mapper, pixel[i]);
    }
    float factor = mapper->is_hlg ? hlg_display_factor(mapper, rgb) : 1;
    float largest = 0;
    for (int i = 0; i < 3; i++) {
        const float *row = mapper->gamut->to_bt709[i];
        mapped[i] = factor * (row[0] * rgb[0] + row[1] * rgb[1] + row[2] * rgb[2]);
        largest = fmaxf(largest, mapped[i]);
    }
    // The curve is applied to the largest channel, and the others keep their ratio to it. Otherwise the channels would
    // clip at different light levels, which would shift the hue.
    const float black = 1e-6F;
    float lowered = on_curve(fminf(largest, mapper->peak)) / mapper->peak_on_curve;
    float ratio = largest > black ? lowered / largest : 0;
    for (int i = 0; i < 3; i++) {
        pixel[i] = encoded_of(mapper, mapped[i] * ratio);
    }
}

void ccover_tone_map(const AVFrame *frame, const ccover_picture *picture) {
    tone_mapper mapper = {.is_hlg = frame->color_trc == AVCOL_TRC_ARIB_STD_B67, .gamut = gamut_of(frame)};
    fill_tables(&mapper);
    mapper.peak = nominal_peak / unit;
    if (!mapper.is_hlg) {
        // Metadata may be wrong or missing. The measured peak then prevents clipped highlights.
        float stated = (float)metadata_peak(frame) / unit;
        float measured = linear_of(&mapper, (uint16_t)bright_code(picture));
        mapper.peak = fmaxf(stated, measured);
    }
    mapper.peak_on_curve = on_curve(mapper.peak);
    int channels = ccover_channels(picture->layout);
    for (int y = 0; y < picture->height; y++) {
        uint16_t *pixel = (void *)(picture->rows + (size_t)y * picture->row_bytes);
        for (int x = 0; x < picture->width; x++, pixel += channels) {
            map_pixel(&mapper, pixel);
        }
    }
}
