// The peak of an HDR frame: according to its metadata, and as measured.

#include "Support/compat.h"
#include "Pictures/pictures.h"

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

double ccover_metadata_peak(const AVFrame *frame, const AVStream *stream) {
    const AVContentLightMetadata *light = metadata(frame, stream, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL,
                                                   AV_PKT_DATA_CONTENT_LIGHT_LEVEL, sizeof(*light));
    if (light && is_sane(light->MaxCLL)) {
        return light->MaxCLL;
    }
    const AVMasteringDisplayMetadata *display = metadata(frame, stream, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA,
                                                         AV_PKT_DATA_MASTERING_DISPLAY_METADATA, sizeof(*display));
    if (display && display->has_luminance && display->max_luminance.num > 0 && display->max_luminance.den > 0) {
        double peak = av_q2d(display->max_luminance);
        return is_sane(peak) ? peak : CCOVER_NOMINAL_PEAK;
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
