// The peak of an HDR frame: according to its metadata, and as measured.

#include "internal.h"

#include <libavutil/mastering_display_metadata.h>

// A peak outside these limits in cd/m² is invalid: below SDR white, or above the maximum of PQ.
static const double least_peak = 100, most_peak = 10000;
// The share of pixels that may be brighter than the peak, such as sparks and ringing artefacts.
static const double share_above_peak = 0.001;
// Code values of 16 bits are counted in steps of 16.
enum { STEPS = 4096, CODES_A_STEP = 16 };

static bool is_sane(double peak) {
    return peak >= least_peak && peak <= most_peak;
}

double ccover_metadata_peak(const AVFrame *frame) {
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
    return CCOVER_NOMINAL_PEAK;
}

uint32_t ccover_bright_code(const ccover_picture *picture) {
    size_t counts[STEPS] = {0};
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
    uint32_t step = STEPS - 1;
    for (size_t seen = counts[step]; step > 0 && seen <= above; seen += counts[step]) {
        step -= 1;
    }
    return step * CODES_A_STEP;
}
