// The work that the decoder can save for a small cover, or for small frames.
//
// Within the limits, covers had at least 38 dB compared with the exact ones, measured on recordings and on generated
// pictures of high detail, each compressed lightly and strongly.

#include "Decoding/decoding.h"

// How often the decoder can halve the sides of the frame. The codecs left out have no such option, have only small
// pictures, or may be interlaced without saying so before the frame is decoded.
static int halvings(const ccover_demuxer *demuxer, int reduction) {
    bool can_halve = ccover_codec_of(demuxer->stream->codecpar->codec_id)->can_halve;
    return !can_halve ? 0 : reduction >= 16 ? 2 : reduction >= 7;
}

// Halved sides that are rounded would stretch the picture, and shift its colours.
static bool can_be_halved(const ccover_demuxer *demuxer, int times) {
    const AVCodecParameters *parameters = demuxer->stream->codecpar;
    int divisor = 2 << times;
    // A part that is not shown need not be divisible.
    return !demuxer->crop.is_stated && parameters->width % divisor == 0 && parameters->height % divisor == 0;
}

ccover_shortcuts ccover_possible_shortcuts(const ccover_clip *clip, int reduction) {
    ccover_shortcuts shortcuts = {0};
    if (clip->demuxer->queue_count == 0) {
        return shortcuts;
    }
    // The loop filter changes most where the picture was compressed most, that is, to few bits for each pixel.
    const AVCodecParameters *parameters = clip->demuxer->stream->codecpar;
    int64_t bits = 8 * (int64_t)clip->demuxer->packet_queue[0]->size;
    int64_t pixels = (int64_t)parameters->width * parameters->height;
    bool is_fine = reduction >= 6 || (reduction >= 5 && 2 * bits >= pixels) ||
                   (reduction >= 3 && 5 * bits >= 4 * pixels);
    shortcuts.skips_loop_filter = clip->position->first_picture.is_shown_first && is_fine;
    shortcuts.ignores_alpha =
        ccover_announces_alpha(clip->demuxer->stream) && !ccover_has_alpha_picture(clip->demuxer->packet_queue[0]);
    if (clip->position->first_picture.packets > 0 && !clip->position->first_picture.is_interlaced) {
        shortcuts.lowres = halvings(clip->demuxer, reduction);
    }
    while (shortcuts.lowres > 0 && !can_be_halved(clip->demuxer, shortcuts.lowres)) {
        shortcuts.lowres -= 1;
    }
    return shortcuts;
}

ccover_shortcuts ccover_draft_shortcuts(const ccover_clip *clip) {
    enum { SMALLEST_SIDE = 240, MAX_HALVINGS = 3, ANY_REDUCTION = 100 };
    const AVCodecParameters *parameters = clip->demuxer->stream->codecpar;
    ccover_shortcuts shortcuts = {.skips_loop_filter = true};
    int shorter = FFMIN(parameters->width, parameters->height);
    bool has_option = halvings(clip->demuxer, ANY_REDUCTION) > 0;
    while (has_option && shortcuts.lowres < MAX_HALVINGS && shorter >> (shortcuts.lowres + 1) >= SMALLEST_SIDE &&
           can_be_halved(clip->demuxer, shortcuts.lowres + 1)) {
        shortcuts.lowres += 1;
    }
    return shortcuts;
}

// In reference pictures, the errors would accumulate. At half the size, the others had at least
// 55 dB compared with the filtered ones in clips of x264 with a constant rate factor of 28, and 46 dB with 42. HEVC
// marks pictures as unreferenced although those of a higher temporal layer may reference them.
enum AVDiscard ccover_unfiltered_later(const ccover_position *position) {
    bool is_unseen = position->output_is_half_size && position->decoder->codec_id == AV_CODEC_ID_H264;
    return position->is_draft ? AVDISCARD_ALL : is_unseen ? AVDISCARD_NONREF : AVDISCARD_DEFAULT;
}
