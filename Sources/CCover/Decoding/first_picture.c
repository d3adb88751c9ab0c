// The start of the stream: which packets hold the first picture, and whether they can be decoded alone.
//
// Everything here is read from the headers of pictures by libavcodec's parsers; nothing is decoded.

#include "Support/compat.h"
#include "Decoding/decoding.h"

// The header of a picture.
typedef struct picture_head {
    enum AVPictureType type;
    bool is_key, is_interlaced;
    enum AVPictureStructure structure;
    int order; // position in presentation order, counted from an earlier picture
    int width; // 0 if unknown
    int height;
} picture_head;

// A parser and the context that it requires, which is never opened.
typedef struct header_parser {
    AVCodecParserContext *parser;
    AVCodecContext *context;
} header_parser;

static bool open_parser(header_parser *parser, const AVStream *stream) {
    parser->parser = ccover_compat_parser(stream->codecpar->codec_id);
    parser->context = parser->parser ? avcodec_alloc_context3(NULL) : NULL;
    if (!parser->context || avcodec_parameters_to_context(parser->context, stream->codecpar) < 0) {
        return false;
    }
    parser->parser->flags |= PARSER_FLAG_COMPLETE_FRAMES;
    return true;
}

static void close_parser(header_parser *parser) {
    av_parser_close(parser->parser);
    avcodec_free_context(&parser->context);
}

// Packets must be parsed in order, because the position in presentation order is coded as a difference.
static picture_head parse_head(header_parser *parser, const AVPacket *packet) {
    uint8_t *data = NULL;
    int size = 0;
    AVCodecParserContext *state = parser->parser;
    state->pict_type = AV_PICTURE_TYPE_NONE;
    state->key_frame = -1;
    av_parser_parse2(state, parser->context, &data, &size, packet->data, packet->size, packet->pts, packet->dts,
                     packet->pos);
    bool has_size = state->width > 0 && state->height > 0;
    return (picture_head){
        .type = (enum AVPictureType)state->pict_type,
        .is_key = state->key_frame == 1,
        .is_interlaced = state->field_order != AV_FIELD_UNKNOWN && state->field_order != AV_FIELD_PROGRESSIVE,
        .structure = state->picture_structure,
        .order = state->output_picture_number,
        .width = has_size ? state->width : parser->context->width,
        .height = has_size ? state->height : parser->context->height,
    };
}

// Whether the first packet is a shown, intact key frame. The last packet of a clip does not count, because the clip may
// end inside it.
static bool starts_with_key_packet(ccover_demuxer *demuxer) {
    const AVPacket *first = demuxer->packet_queue[0];
    return (first->flags & AV_PKT_FLAG_KEY) != 0 && (first->flags & AV_PKT_FLAG_DISCARD) == 0 &&
           !ccover_is_called_corrupt(demuxer, first) && ccover_packet_ahead(demuxer, 1);
}

// MARK: Presentation order

// Whether a picture of H.264 that follows the first one is presented before it, and whole although the pictures before
// the first one are missing: only after an IDR picture, which is presented first with all but unusual encoders.
static bool is_preceded_in_avc(ccover_demuxer *demuxer, header_parser *parser, const picture_head *first, int packets) {
    enum { MAX_COMPARED = 3 };
    if (ccover_picture_kind_of(demuxer->stream->codecpar, demuxer->packet_queue[0]) != CCOVER_PICTURE_KEY) {
        return false;
    }
    for (int i = packets; i < MAX_COMPARED; i++) {
        const AVPacket *packet = ccover_packet_ahead(demuxer, i);
        picture_head head = packet ? parse_head(parser, packet) : (picture_head){0};
        if (head.is_key || head.type == AV_PICTURE_TYPE_NONE) {
            return false;
        }
        if (head.order < first->order) {
            return true;
        }
    }
    return false;
}

// The same for HEVC, MPEG-1 and MPEG-2, where such a picture follows the first one directly.
static bool is_preceded(ccover_demuxer *demuxer) {
    const AVCodecParameters *parameters = demuxer->stream->codecpar;
    const AVPacket *second = ccover_packet_ahead(demuxer, 1);
    ccover_picture_kind kind = second ? ccover_picture_kind_of(parameters, second) : CCOVER_PICTURE_NONE;
    return kind == CCOVER_PICTURE_LEADING ||
           (kind == CCOVER_PICTURE_B &&
            ccover_picture_kind_of(parameters, demuxer->packet_queue[0]) == CCOVER_PICTURE_KEY);
}

static bool is_field(const picture_head *head) {
    return head->structure == AV_PICTURE_STRUCTURE_TOP_FIELD || head->structure == AV_PICTURE_STRUCTURE_BOTTOM_FIELD;
}

bool ccover_are_fields(const AVStream *stream, const AVPacket *first, const AVPacket *second) {
    header_parser parser = {0};
    bool are_fields = false;
    if (open_parser(&parser, stream)) {
        picture_head one = parse_head(&parser, first);
        picture_head other = parse_head(&parser, second);
        are_fields = is_field(&one) && is_field(&other) && one.structure != other.structure;
    }
    close_parser(&parser);
    return are_fields;
}

bool ccover_differs_from_header(const AVStream *stream, const AVPacket *packet) {
    const AVCodecParameters *parameters = stream->codecpar;
    header_parser parser = {0};
    bool differs = false;
    if (open_parser(&parser, stream)) {
        picture_head head = parse_head(&parser, packet);
        differs = head.width != parameters->width || head.height != parameters->height ||
                  (parameters->codec_id == AV_CODEC_ID_HEVC && is_field(&head));
    }
    close_parser(&parser);
    return differs;
}

// The number of packets that hold the first picture of H.264: two if they hold one field each. Containers such as MP4
// join the fields.
static int packets_of_first(ccover_demuxer *demuxer, header_parser *parser, const picture_head *first) {
    const AVPacket *second = is_field(first) ? ccover_packet_ahead(demuxer, 1) : NULL;
    if (!second) {
        return 1;
    }
    picture_head head = parse_head(parser, second);
    return head.structure == AV_PICTURE_STRUCTURE_FRAME || head.structure == first->structure ? 1 : 2;
}

// The number of packets that are sufficient to decode the first frame; 0 if it requires others.
static int packets_alone(ccover_demuxer *demuxer, header_parser *parser, const picture_head *head) {
    int packets;
    switch (demuxer->stream->codecpar->codec_id) {
    case AV_CODEC_ID_H264:
        packets = head->is_key ? packets_of_first(demuxer, parser, head) : 0;
        return packets > 0 && is_preceded_in_avc(demuxer, parser, head, packets) ? 0 : packets;
    case AV_CODEC_ID_HEVC:
        return head->is_key && !is_preceded(demuxer);
    case AV_CODEC_ID_MPEG1VIDEO:
    case AV_CODEC_ID_MPEG2VIDEO:
        return !is_preceded(demuxer);
    default:
        return 0;
    }
}

// Whether decoding can start with the picture.
static bool is_key_picture(const ccover_demuxer *demuxer, const picture_head *head) {
    // The HEVC parser also marks a picture as intra-coded if its parameter sets are missing.
    bool has_types = demuxer->stream->codecpar->codec_id != AV_CODEC_ID_HEVC;
    return head->is_key || (has_types && head->type == AV_PICTURE_TYPE_I);
}

// Drops the packets before the first key picture, which the decoder would turn into damaged frames or none, if there is
// such a picture within the limits of reading ahead. Returns whether any were dropped.
static bool skip_to_key_picture(ccover_demuxer *demuxer, header_parser *parser, picture_head *head) {
    for (int i = 0;; i++) {
        const AVPacket *packet = ccover_packet_ahead(demuxer, i);
        if (!packet) {
            return false;
        }
        picture_head next = parse_head(parser, packet);
        if (is_key_picture(demuxer, &next)) {
            ccover_drop_packets(demuxer, i);
            *head = next;
            return i > 0;
        }
    }
}

bool ccover_skip_to_next_key_picture(ccover_clip *clip) {
    header_parser parser = {0};
    picture_head head;
    bool is_skipped = ccover_codec_of(clip->demuxer->stream->codecpar->codec_id)->parser_finds_keys &&
                      open_parser(&parser, clip->demuxer->stream) && skip_to_key_picture(clip->demuxer, &parser, &head);
    close_parser(&parser);
    if (is_skipped) {
        avcodec_flush_buffers(clip->position->decoder);
        ccover_start_position(clip);
    }
    return is_skipped;
}

bool ccover_skip_to_start(ccover_demuxer *demuxer, int64_t time) {
    header_parser parser = {0};
    bool is_found = !ccover_codec_of(demuxer->stream->codecpar->codec_id)->parser_finds_keys ||
                    !open_parser(&parser, demuxer->stream);
    const AVPacket *packet;
    while (!is_found && (packet = ccover_packet_ahead(demuxer, 0))) {
        int64_t decoded = ccover_decoded_time(packet);
        if (decoded != AV_NOPTS_VALUE && decoded > time) {
            break;
        }
        picture_head head = parse_head(&parser, packet);
        is_found = (packet->flags & AV_PKT_FLAG_KEY) != 0 || is_key_picture(demuxer, &head);
        if (!is_found) {
            ccover_drop_packets(demuxer, 1);
        }
    }
    close_parser(&parser);
    return is_found;
}

void ccover_examine_start(ccover_clip *clip) {
    AVCodecParameters *parameters = clip->demuxer->stream->codecpar;
    const AVPacket *first = ccover_packet_ahead(clip->demuxer, 0);
    if (!first) {
        return;
    }
    ccover_note_first_time(
        clip->demuxer, ccover_counts_time(clip->demuxer) ? ccover_dropped_after(clip->demuxer, first, 1) : first->pts);
    header_parser parser = {0};
    if (open_parser(&parser, clip->demuxer->stream)) {
        picture_head head = {0};
        if (ccover_codec_of(parameters->codec_id)->parser_finds_keys) {
            skip_to_key_picture(clip->demuxer, &parser, &head);
        } else {
            ccover_take_parser_report(); // of packets before
            head = parse_head(&parser, first);
            if (ccover_take_parser_report()) {
                ccover_mark_corrupt(clip->demuxer, clip->demuxer->packet_queue[0]);
            }
        }
        if (parameters->width <= 0 || parameters->height <= 0) {
            parameters->width = head.width;
            parameters->height = head.height;
        }
        if (parameters->codec_id == AV_CODEC_ID_MPEG2VIDEO && parser.parser->width > 0) {
            // Program and transport streams do not distinguish it from MPEG-1; its sequence header does.
            parameters->codec_id = parser.context->codec_id;
        }
        clip->position->first_picture.is_interlaced = head.is_interlaced || ccover_states_fields(parameters);
        if (head.type == AV_PICTURE_TYPE_I && starts_with_key_packet(clip->demuxer)) {
            clip->position->first_picture.packets = packets_alone(clip->demuxer, &parser, &head);
        }
    }
    close_parser(&parser);
    bool is_key = starts_with_key_packet(clip->demuxer);
    if (is_key && ccover_codec_of(parameters->codec_id)->starts_with_key) {
        clip->position->first_picture.packets = 1;
    }
    // A frame of VP8 may be marked as never shown.
    first = clip->demuxer->packet_queue[0];
    bool may_be_shown = parameters->codec_id != AV_CODEC_ID_VP8 || (first->size > 0 && (first->data[0] & 0x10) != 0);
    bool is_output = ccover_codec_of(parameters->codec_id)->outputs_at_once && may_be_shown;
    clip->position->first_picture.is_shown_first = clip->position->first_picture.packets == 1 || (is_key && is_output);
}
