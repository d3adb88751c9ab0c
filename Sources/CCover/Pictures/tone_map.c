// Tone mapping from HDR to SDR: PQ or HLG → linear light → BT.709 primaries → tone curve → the transfer of an SDR
// display.
//
// Light is measured in units of 100 cd/m², the white of the SDR display that the tone curve is designed for.

#include "Pictures/pictures.h"
#include "Support/compat.h"

#include <libavutil/mastering_display_metadata.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

// Linear light is computed for every 16th 16-bit code value, with linear interpolation in between. PQ code values are
// perceptually uniform, so that the interpolated steps are well below the visible threshold.
enum { LINEAR_STEPS = 4096, CODES_A_STEP = 16, CODES = 65536 };
static const float largest_code = CODES - 1;

// Functions of light are looked up by the exponent and the first bits of the mantissa of the number, so that the
// relative error is the same in shadows and highlights. Light below 2^-OCTAVES counts as that.
enum { OCTAVES = 32, MANTISSA_BITS = 23, ENCODED_BITS = 12, OOTF_BITS = 9 };
static const float least_light = 1.0F / 4294967296.0F;
static const uint32_t least_light_bits = (127U - OCTAVES) << MANTISSA_BITS;

// The number of pixels that are mapped at a time: enough for vector instructions, and few enough for the cache.
enum { BLOCK = 256 };

static const float unit = 100;
// The peak in cd/m² for HLG, and for PQ clips without metadata: that of the usual mastering display.
static const float nominal_peak = 1000;
// The exponents of the two functions of light: γ − 1 of HLG's OOTF, and the inverse of BT.1886.
static const float ootf_power = 0.2F, encoded_power = 1 / 2.4F;

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

// Filled once, because that takes longer than mapping a small picture.
static float linear_pq[CODES], linear_hlg[CODES];       // indexed by code value
static float ootf[(OCTAVES << OOTF_BITS) + 1];          // the factor of HLG, indexed by step_of() luminance
static uint16_t encoded[(OCTAVES << ENCODED_BITS) + 1]; // code values, indexed by step_of() light

typedef struct tone_mapper {
    const float *linear;
    const gamut *gamut;
    float peak; // the light that becomes white, in units
    float peak_on_curve;
} tone_mapper;

// The linear light of some pixels by channel, and then the steps of their code values.
typedef struct block {
    float light[3][BLOCK];
    uint32_t step[3][BLOCK];
} block;

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
// to the luminance Y, which preserves hue and saturation, unlike a gamma applied to each channel.
static float hlg_display_factor(float luminance) {
    return nominal_peak / unit * powf(luminance, ootf_power);
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
static float encoded_of(float light) {
    return powf(light, encoded_power);
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

static void fill_linear(float linear[CODES], float (*light_of)(float code)) {
    for (int i = 0; i < LINEAR_STEPS; i++) {
        float ends[2];
        for (int end = 0; end < 2; end++) {
            float code = fminf((float)((i + end) * CODES_A_STEP) / largest_code, 1);
            ends[end] = light_of(code);
        }
        for (int j = 0; j < CODES_A_STEP; j++) {
            float place = (float)j / (float)CODES_A_STEP;
            linear[i * CODES_A_STEP + j] = ends[0] + (ends[1] - ends[0]) * place;
        }
    }
}

// The middle of a step in the octave from 1 to 2.
static float middle_of(int step, int bits) {
    return 1 + ((float)step + 0.5F) / (float)(1 << bits);
}

// Both functions of light are powers, so that their values in one octave are those in another times a factor.
static void fill_octaves(float exponent, float factors[OCTAVES]) {
    for (int octave = 0; octave < OCTAVES; octave++) {
        factors[octave] = powf(2, exponent * (float)(octave - OCTAVES));
    }
}

static void fill_ootf(void) {
    float factors[OCTAVES];
    fill_octaves(ootf_power, factors);
    for (int i = 0; i < 1 << OOTF_BITS; i++) {
        float factor = hlg_display_factor(middle_of(i, OOTF_BITS));
        for (int octave = 0; octave < OCTAVES; octave++) {
            ootf[octave << OOTF_BITS | i] = factor * factors[octave];
        }
    }
    ootf[OCTAVES << OOTF_BITS] = hlg_display_factor(1);
}

static void fill_encoded(void) {
    float factors[OCTAVES];
    fill_octaves(encoded_power, factors);
    for (int i = 0; i < 1 << ENCODED_BITS; i++) {
        float code = encoded_of(middle_of(i, ENCODED_BITS)) * largest_code;
        for (int octave = 0; octave < OCTAVES; octave++) {
            encoded[octave << ENCODED_BITS | i] = (uint16_t)(code * factors[octave] + 0.5F);
        }
    }
    encoded[0] = 0; // black stays black, and white stays white
    encoded[OCTAVES << ENCODED_BITS] = (uint16_t)largest_code;
}

static void fill_tables(void) {
    fill_linear(linear_pq, light_of_pq);
    fill_linear(linear_hlg, scene_light_of_hlg);
    fill_ootf();
    fill_encoded();
}

// Unlike fminf() and fmaxf(), these compile to vector instructions.
static inline float smaller(float one, float other) {
    return one < other ? one : other;
}

static inline float larger(float one, float other) {
    return one > other ? one : other;
}

// The step of a table with 2^bits steps an octave.
static inline uint32_t step_of(float light, int bits) {
    float clamped = smaller(larger(light, least_light), 1);
    uint32_t pattern;
    memcpy(&pattern, &clamped, sizeof(pattern));
    return (pattern - least_light_bits) >> (MANTISSA_BITS - bits);
}

static void apply_ootf(const tone_mapper *mapper, int count, block *block) {
    const float *weights = mapper->gamut->luminance;
    float *red = block->light[0], *green = block->light[1], *blue = block->light[2];
    for (int x = 0; x < count; x++) {
        float luminance = weights[0] * red[x] + weights[1] * green[x] + weights[2] * blue[x];
        float factor = ootf[step_of(luminance, OOTF_BITS)];
        red[x] *= factor;
        green[x] *= factor;
        blue[x] *= factor;
    }
}

// The curve is applied to the largest channel, and the others keep their ratio to it. Otherwise the channels would clip
// at different light levels, which would shift the hue. Colours outside BT.709 have a negative channel, which is
// clipped (BT.2407-0, section 2). Desaturating them until they fit would preserve their luminance, but turns BT.2020
// red into pink and green into turquoise.
static void map_light(const tone_mapper *mapper, int count, block *block) {
    const float black = 1e-6F, peak = mapper->peak, scale = 1 / mapper->peak_on_curve;
    const gamut gamut = *mapper->gamut;
    for (int x = 0; x < count; x++) {
        float mapped[3], largest = 0;
        for (int i = 0; i < 3; i++) {
            const float *row = gamut.to_bt709[i];
            mapped[i] = row[0] * block->light[0][x] + row[1] * block->light[1][x] + row[2] * block->light[2][x];
            largest = larger(largest, mapped[i]);
        }
        float ratio = on_curve(smaller(largest, peak)) * scale / larger(largest, black);
        for (int i = 0; i < 3; i++) {
            block->step[i][x] = step_of(mapped[i] * ratio, ENCODED_BITS);
        }
    }
}

static void map_row(const tone_mapper *mapper, uint16_t *row, int channels, int width) {
    block block;
    for (int x = 0; x < width; x += BLOCK) {
        uint16_t *pixel = row + (size_t)x * (size_t)channels;
        int count = width - x < BLOCK ? width - x : BLOCK;
        for (int i = 0; i < count; i++) {
            for (int channel = 0; channel < 3; channel++) {
                block.light[channel][i] = mapper->linear[pixel[i * channels + channel]];
            }
        }
        if (mapper->linear == linear_hlg) {
            apply_ootf(mapper, count, &block);
        }
        map_light(mapper, count, &block);
        for (int i = 0; i < count; i++) {
            for (int channel = 0; channel < 3; channel++) {
                pixel[i * channels + channel] = encoded[block.step[channel][i]];
            }
        }
    }
}

// MARK: The peak of a frame

// A peak outside these limits in cd/m² is invalid: below SDR white, or above the maximum of PQ.
static const double least_peak = 100, most_peak = 10000;
// The share of pixels that may be brighter than the peak, such as sparks and ringing artefacts.
static const double share_above_peak = 0.001;

static bool is_sane(double peak) {
    return peak >= least_peak && peak <= most_peak;
}

// Returns the metadata of a frame, or else those that the container states for the stream; NULL without any.
static const void *metadata(const AVFrame *frame, const AVStream *stream, enum AVFrameSideDataType of_frame,
                            enum AVPacketSideDataType of_stream, size_t least) {
    const AVFrameSideData *own = av_frame_get_side_data(frame, of_frame);
    size_t size = own ? own->size : 0;
    const uint8_t *data = own ? own->data : NULL;
    if (!own && stream) {
        data = ccover_compat_stream_side_data(stream, of_stream, &size);
    }
    return size >= least ? data : NULL;
}

// The peak in cd/m² according to the metadata of the frame, or else of its stream, which may be NULL: MaxCLL, or else
// the peak of the mastering display.
static double metadata_peak(const AVFrame *frame, const AVStream *stream) {
    const AVContentLightMetadata *light = metadata(frame, stream, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL,
                                                   AV_PKT_DATA_CONTENT_LIGHT_LEVEL, sizeof(*light));
    if (light && is_sane(light->MaxCLL)) {
        return light->MaxCLL;
    }
    const AVMasteringDisplayMetadata *display = metadata(frame, stream, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA,
                                                         AV_PKT_DATA_MASTERING_DISPLAY_METADATA, sizeof(*display));
    if (display && display->has_luminance && display->max_luminance.num > 0 && display->max_luminance.den > 0) {
        double peak = av_q2d(display->max_luminance);
        return is_sane(peak) ? peak : nominal_peak;
    }
    return nominal_peak;
}

// The code value that the largest channel of almost all pixels of a picture stays below.
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

static void set_peak(tone_mapper *mapper, const AVFrame *frame, const AVStream *stream,
                     const ccover_picture *picture) {
    mapper->peak = nominal_peak / unit;
    if (mapper->linear == linear_pq) {
        // Metadata may be wrong or missing. The measured peak then prevents clipped highlights.
        float peak = (float)metadata_peak(frame, stream) / unit;
        mapper->peak = fmaxf(peak, linear_pq[bright_code(picture)]);
    }
    mapper->peak_on_curve = on_curve(mapper->peak);
}

void ccover_tone_map(const AVFrame *frame, const AVStream *stream, const ccover_picture *picture) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill_tables);
    bool is_hlg = frame->color_trc == AVCOL_TRC_ARIB_STD_B67;
    tone_mapper mapper = {.linear = is_hlg ? linear_hlg : linear_pq, .gamut = gamut_of(frame)};
    set_peak(&mapper, frame, stream, picture);
    int channels = ccover_channels(picture->layout);
    for (int y = 0; y < picture->height; y++) {
        map_row(&mapper, (void *)(picture->rows + (size_t)y * picture->row_bytes), channels, picture->width);
    }
}
