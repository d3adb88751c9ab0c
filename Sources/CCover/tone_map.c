// From HDR to SDR: PQ or HLG → linear light → the gamut of BT.709 → a tone curve → the transfer of an SDR display.
//
// Light is counted in units of 100 cd/m², the white of an SDR display, for which the tone curve was drawn.

#include "internal.h"

#include <libavutil/mastering_display_metadata.h>
#include <math.h>
#include <string.h>

// A code of 16 bits is looked up with linear interpolation in every 16th; PQ spends its codes as the eye sees light, so
// the steps between are a fraction of what can be seen.
enum { LINEAR_STEPS = 4096, CODES_A_STEP = 16, ENCODED_STEPS = 4096 };
static const float largest_code = 65535;

// cd/m². Of HLG, and of a PQ clip that does not say how bright it gets: the usual mastering display.
static const float nominal_peak = 1000;
static const float unit = 100;
// A peak outside of these is nonsense: below SDR white, or above what PQ can code.
static const double least_peak = 100, most_peak = 10000;
// The share of pixels that may be brighter than the peak: sparks, and ringing of the codec.
static const double share_above_peak = 0.001;

typedef struct gamut {
    float to_bt709[3][3]; // linear RGB to linear RGB, all with the white point D65
    float luminance[3];   // weights of linear RGB
} gamut;

// From the chromaticities of BT.2020-2 and BT.709-6 by the method of SMPTE RP 177; BT.2407-0, section 2, has the same.
// The weights are those of luminance in BT.2020-2, table 4.
static const gamut bt2020 = {
    {{1.660491F, -0.587641F, -0.072850F}, {-0.124550F, 1.132900F, -0.008349F}, {-0.018151F, -0.100579F, 1.118730F}},
    {0.2627F, 0.6780F, 0.0593F},
};
// The same from the chromaticities of SMPTE EG 432-1.
static const gamut p3_d65 = {
    {{1.224940F, -0.224940F, 0.0F}, {-0.042057F, 1.042057F, 0.0F}, {-0.019638F, -0.078636F, 1.098274F}},
    {0.2290F, 0.6917F, 0.0793F},
};
// The weights are those of luminance in BT.709-6, item 3.2.
static const gamut bt709 = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0.2126F, 0.7152F, 0.0722F}};

typedef struct tone_mapper {
    bool is_hlg;
    const gamut *gamut;
    float peak; // becomes white, in units
    float peak_on_curve;
    float linear[LINEAR_STEPS + 1];   // by code, every CODES_A_STEP-th
    float encoded[ENCODED_STEPS + 1]; // by the square root of light, so that shadows get their share of the steps
} tone_mapper;

bool ccover_is_hdr(const AVFrame *frame) {
    return frame->color_trc == AVCOL_TRC_SMPTE2084 || frame->color_trc == AVCOL_TRC_ARIB_STD_B67;
}

// SMPTE ST 2084:2014, the reference EOTF (also BT.2100-2, table 4): of a code 0…1 to units.
static float light_of_pq(float code) {
    const float m1 = 2610.0F / 16384, m2 = 2523.0F / 4096 * 128;
    const float c1 = 3424.0F / 4096, c2 = 2413.0F / 4096 * 32, c3 = 2392.0F / 4096 * 32;
    float power = powf(code, 1 / m2);
    return 10000 / unit * powf(fmaxf(power - c1, 0) / (c2 - c3 * power), 1 / m1);
}

// BT.2100-2, table 5 (ARIB STD-B67): the inverse OETF of HLG, of a code 0…1 to light of the scene, 0…1.
static float scene_light_of_hlg(float code) {
    const float a = 0.17883277F, b = 0.28466892F, c = 0.55991073F;
    return code <= 0.5F ? code * code / 3 : (expf((code - c) / a) + b) / 12;
}

// BT.2100-2, table 5: the OOTF of HLG, F = α · Y^(γ−1) · E, with γ = 1.2 for a display of 1000 cd/m². It works on the
// luminance, so that colours keep their hue and saturation; a gamma of each channel would not.
static float hlg_display_factor(const tone_mapper *mapper, const float rgb[3]) {
    const float *weights = mapper->gamut->luminance;
    float luminance = weights[0] * rgb[0] + weights[1] * rgb[1] + weights[2] * rgb[2];
    return nominal_peak / unit * powf(luminance, 0.2F);
}

// John Hable's filmic curve ("Filmic Tonemapping Operators", GDC 2010), as in FFmpeg's tonemap filter: shadows almost
// linear, highlights compressed with detail left in them.
static float on_curve(float light) {
    const float a = 0.15F, b = 0.50F, c = 0.10F, d = 0.20F, e = 0.02F, f = 0.30F;
    return (light * (light * a + b * c) + d * e) / (light * (light * a + b) + d * f) - e / f;
}

// BT.1886, annex 1, inverted, for a display with black at 0: the power 2.4. The values are those of an SDR clip of
// BT.709, which are taken for sRGB too (BT.709 covers are not converted either), so an HDR clip and its SDR version have
// the same cover. The piecewise curve of sRGB in its place would leave the shadows a fifth darker than in that version.
static float encoded_of_root(float root) {
    return powf(root, 2 / 2.4F);
}

static bool is_sane(double peak) {
    return peak >= least_peak && peak <= most_peak;
}

// What the clip says of its brightest pixel, in cd/m²: the content's own level, else that of the mastering display.
static double told_peak(const AVFrame *frame) {
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

// The code that all but a few pixels stay below in their largest channel.
static uint32_t bright_code(const uint8_t *rows, size_t row_bytes, int width, int height, int channels) {
    size_t counts[LINEAR_STEPS] = {0};
    for (int y = 0; y < height; y++) {
        const uint16_t *pixel = (const void *)(rows + (size_t)y * row_bytes);
        for (int x = 0; x < width; x++, pixel += channels) {
            uint16_t largest = pixel[0] > pixel[1] ? pixel[0] : pixel[1];
            largest = largest > pixel[2] ? largest : pixel[2];
            counts[largest / CODES_A_STEP] += 1;
        }
    }
    size_t above = (size_t)(share_above_peak * (double)width * (double)height);
    uint32_t step = LINEAR_STEPS - 1;
    for (size_t seen = counts[step]; step > 0 && seen <= above; seen += counts[step]) {
        step -= 1;
    }
    return step * CODES_A_STEP;
}

static const gamut *gamut_of(const AVFrame *frame) {
    switch (frame->color_primaries) {
    case AVCOL_PRI_BT2020:
    case AVCOL_PRI_UNSPECIFIED: // BT.2100 has no other
        return &bt2020;
    case AVCOL_PRI_SMPTE431: // with another white point on film, with D65 in files
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

// Colours outside of BT.709 have a channel below 0, which is clipped (BT.2407-0, section 2). Mixing them with gray until they
// fit keeps their luminance, but turns the red of BT.2020 into pink and its green into turquoise.
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
    // The curve is for the largest channel, and the others keep their ratio to it: so no channel runs into white before
    // the others, which would shift the hue.
    const float black = 1e-6F;
    float lowered = on_curve(fminf(largest, mapper->peak)) / mapper->peak_on_curve;
    float ratio = largest > black ? lowered / largest : 0;
    for (int i = 0; i < 3; i++) {
        pixel[i] = encoded_of(mapper, mapped[i] * ratio);
    }
}

void ccover_tone_map(const AVFrame *frame, uint8_t *rows, size_t row_bytes, int width, int height, int channels) {
    tone_mapper mapper = {.is_hlg = frame->color_trc == AVCOL_TRC_ARIB_STD_B67, .gamut = gamut_of(frame)};
    fill_tables(&mapper);
    mapper.peak = nominal_peak / unit;
    if (!mapper.is_hlg) {
        // What is told may be wrong or left out; what is seen then keeps the highlights from being clipped.
        float told = (float)told_peak(frame) / unit;
        float seen = linear_of(&mapper, (uint16_t)bright_code(rows, row_bytes, width, height, channels));
        mapper.peak = fmaxf(told, seen);
    }
    mapper.peak_on_curve = on_curve(mapper.peak);
    for (int y = 0; y < height; y++) {
        uint16_t *pixel = (void *)(rows + (size_t)y * row_bytes);
        for (int x = 0; x < width; x++, pixel += channels) {
            map_pixel(&mapper, pixel);
        }
    }
}
