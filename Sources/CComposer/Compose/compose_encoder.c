// Encoding and writing the output.

#include "Compose/composition.h"

#include <errno.h>
#include <libavutil/channel_layout.h>
#include <libavutil/mem.h>
#include <stdio.h>

// The number of x264's threads is fixed, because the result depends on it. They share each frame: with several frames
// at a time, and with x264's usual view ahead and number of B-frames, the encoder would take twice the memory.
enum { THREADS = 4 };

static int fail_to_encode(const composer_encoder *encoder, int code, ccover_error *error) {
    if (encoder->output.write_errno != 0) {
        return ccomposer_fail_to_write(&encoder->output, code, error);
    }
    // libx264 reports a lack of memory as an external error, and valid frames give no other.
    if (code == AVERROR(ENOMEM) || code == AVERROR_EXTERNAL) {
        return ccover_fail_out_of_memory(error, CCOVER_STAGE_ENCODE);
    }
    return ccover_fail(error, CCOVER_STAGE_ENCODE, CCOVER_CAUSE_MISUSE, code, "cannot encode the video");
}

// MARK: Opening

// Returns an encoder's context, or NULL with the error filled in.
static AVCodecContext *make_context(const char *name, ccover_error *error) {
    const AVCodec *codec = avcodec_find_encoder_by_name(name);
    if (!codec) {
        ccover_fail(error, CCOVER_STAGE_ENCODE, CCOVER_CAUSE_UNSUPPORTED_CODEC, 0,
                    "the installed libavcodec has no encoder %s", name);
        return NULL;
    }
    AVCodecContext *context = avcodec_alloc_context3(codec);
    if (!context) {
        ccover_fail_out_of_memory(error, CCOVER_STAGE_ENCODE);
        return NULL;
    }
    // The MP4 file keeps the parameters in its index, and nothing in it depends on versions or dates.
    context->flags |= AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_BITEXACT;
    return context;
}

static int open_context(AVCodecContext *context, AVDictionary **options, ccover_error *error) {
    int code = avcodec_open2(context, context->codec, options);
    av_dict_free(options);
    return code >= 0 ? 0
                     : ccover_fail(error, CCOVER_STAGE_ENCODE, CCOVER_CAUSE_UNSUPPORTED_CODEC, code,
                                   "cannot open the encoder %s", context->codec->name);
}

static int open_picture_encoder(composer_encoder *encoder, const ccomposition_options *options, ccover_error *error) {
    AVCodecContext *context = encoder->picture.encoder = make_context("libx264", error);
    if (!context) {
        return -1;
    }
    context->width = options->width;
    context->height = options->height;
    context->pix_fmt = AV_PIX_FMT_YUV420P;
    context->sample_aspect_ratio = (AVRational){1, 1};
    context->framerate = (AVRational){options->rate.num, options->rate.den};
    context->time_base = av_inv_q(context->framerate);
    context->color_range = AVCOL_RANGE_MPEG;
    context->colorspace = AVCOL_SPC_BT709;
    context->color_primaries = AVCOL_PRI_BT709;
    context->color_trc = AVCOL_TRC_BT709;
    context->thread_count = THREADS;
    context->thread_type = FF_THREAD_SLICE;
    AVDictionary *settings = NULL;
    char quality[32];
    snprintf(quality, sizeof(quality), "%.3f", options->quality);
    av_dict_set(&settings, "preset", "veryfast", 0);
    av_dict_set(&settings, "crf", quality, 0);
    av_dict_set(&settings, "rc-lookahead", "2", 0);
    av_dict_set(&settings, "bf", "1", 0);
    return open_context(context, &settings, error);
}

static int open_sound_encoder(composer_encoder *encoder, const ccomposition_options *options, ccover_error *error) {
    AVCodecContext *context = encoder->sound.encoder = make_context("aac", error);
    if (!context) {
        return -1;
    }
    context->sample_fmt = AV_SAMPLE_FMT_FLTP;
    context->sample_rate = COMPOSER_SAMPLE_RATE;
    context->time_base = (AVRational){1, COMPOSER_SAMPLE_RATE};
    context->ch_layout = (AVChannelLayout)AV_CHANNEL_LAYOUT_STEREO;
    context->bit_rate = options->sound_bit_rate;
    AVDictionary *settings = NULL;
    if (open_context(context, &settings, error) != 0) {
        return -1;
    }
    AVFrame *samples = encoder->samples = av_frame_alloc();
    if (!samples) {
        return ccover_fail_out_of_memory(error, CCOVER_STAGE_ENCODE);
    }
    samples->format = context->sample_fmt;
    samples->sample_rate = context->sample_rate;
    samples->nb_samples = context->frame_size;
    samples->ch_layout = context->ch_layout;
    return av_frame_get_buffer(samples, 0) < 0 ? ccover_fail_out_of_memory(error, CCOVER_STAGE_ENCODE) : 0;
}

// Adds a track. Returns 0, or -1 with the error filled in.
static int add_track(composer_encoder *encoder, composer_track *track, const char *filter, ccover_error *error) {
    int code = av_bsf_list_parse_str(filter, &track->filter);
    if (code < 0 && code != AVERROR(ENOMEM)) {
        return ccover_fail(error, CCOVER_STAGE_ENCODE, CCOVER_CAUSE_UNSUPPORTED_CODEC, 0,
                           "the installed libavcodec has no bitstream filter %s", filter);
    }
    if (code >= 0) {
        code = avcodec_parameters_from_context(track->filter->par_in, track->encoder);
    }
    if (code >= 0) {
        track->filter->time_base_in = track->encoder->time_base;
        code = av_bsf_init(track->filter);
    }
    track->stream = code >= 0 ? avformat_new_stream(encoder->format, NULL) : NULL;
    if (track->stream) {
        code = avcodec_parameters_copy(track->stream->codecpar, track->filter->par_out);
        track->stream->codecpar->codec_tag = 0;
        track->stream->time_base = track->filter->time_base_out;
        track->stream->avg_frame_rate = track->encoder->framerate;
    }
    return code < 0 ? fail_to_encode(encoder, code, error)
           : !track->stream ? ccover_fail_out_of_memory(error, CCOVER_STAGE_ENCODE)
                            : 0;
}

static int open_muxer(composer_encoder *encoder, const ccomposition_options *options, ccover_error *error) {
    encoder->io = ccomposer_output_open(&encoder->output, options->descriptor);
    encoder->packet = av_packet_alloc();
    if (!encoder->io || !encoder->packet) {
        return ccover_fail_out_of_memory(error, CCOVER_STAGE_ENCODE);
    }
    // Without the NAL units of type SEI, which contain x264's version and settings.
    if (ccomposer_create_muxer(CCOMPOSER_MP4, &encoder->output, encoder->io, &encoder->format, error) ||
        add_track(encoder, &encoder->picture, "filter_units=remove_types=6", error) ||
        (encoder->sound.encoder && add_track(encoder, &encoder->sound, "null", error))) {
        return -1;
    }
    AVDictionary *settings = NULL;
    av_dict_set(&settings, "movflags", options->has_index_in_front ? "faststart" : "0", 0);
    int code = avformat_write_header(encoder->format, &settings);
    av_dict_free(&settings);
    return code < 0 ? fail_to_encode(encoder, code, error) : 0;
}

int composer_open_encoder(composer_encoder *encoder, const ccomposition_options *options, ccover_error *error) {
    int failed = open_picture_encoder(encoder, options, error);
    if (!failed && options->has_sound) {
        failed = open_sound_encoder(encoder, options, error);
    }
    return failed ? failed : open_muxer(encoder, options, error);
}

void composer_close_encoder(composer_encoder *encoder) {
    avcodec_free_context(&encoder->picture.encoder);
    avcodec_free_context(&encoder->sound.encoder);
    av_bsf_free(&encoder->picture.filter);
    av_bsf_free(&encoder->sound.filter);
    av_packet_free(&encoder->packet);
    av_frame_free(&encoder->samples);
    avformat_free_context(encoder->format);
    encoder->format = NULL;
    ccover_close_io(&encoder->io);
}

// MARK: Writing

// Encodes a frame of a track, or what its encoder still holds if it is NULL, and writes the packets. Returns 0 or an
// AVERROR.
static int encode(composer_encoder *encoder, composer_track *track, const AVFrame *frame) {
    AVPacket *packet = encoder->packet;
    int code = avcodec_send_frame(track->encoder, frame);
    while (code >= 0) {
        int encoded = avcodec_receive_packet(track->encoder, packet);
        if (encoded < 0 && encoded != AVERROR_EOF) {
            return encoded == AVERROR(EAGAIN) ? 0 : encoded;
        }
        packet->duration = track == &encoder->picture ? 1 : packet->duration;
        code = av_bsf_send_packet(track->filter, encoded < 0 ? NULL : packet);
        while (code >= 0 && (code = av_bsf_receive_packet(track->filter, packet)) >= 0) {
            packet->stream_index = track->stream->index;
            av_packet_rescale_ts(packet, track->filter->time_base_out, track->stream->time_base);
            code = av_interleaved_write_frame(encoder->format, packet);
            code = code < 0 ? code : encoder->io->error;
        }
        if (encoded == AVERROR_EOF && code == AVERROR_EOF) {
            return 0;
        }
        code = code == AVERROR(EAGAIN) ? 0 : code;
    }
    return code;
}

int composer_encode_frame(composer_encoder *encoder, AVFrame *frame, ccover_error *error) {
    int code = encode(encoder, &encoder->picture, frame);
    return code < 0 ? fail_to_encode(encoder, code, error) : 0;
}

// Encodes the collected samples.
static int send_samples(composer_encoder *encoder) {
    encoder->samples->nb_samples = encoder->sample_count;
    encoder->samples->pts = encoder->samples_sent;
    encoder->samples_sent += encoder->sample_count;
    encoder->sample_count = 0;
    int code = encode(encoder, &encoder->sound, encoder->samples);
    encoder->samples->nb_samples = encoder->sound.encoder->frame_size;
    return code;
}

int composer_encode_samples(composer_encoder *encoder, const float *samples, int count, ccover_error *error) {
    int code = 0;
    for (int i = 0; i < count && code >= 0; i++) {
        if (encoder->sample_count == 0) {
            // The encoder may still hold the samples before.
            code = av_frame_make_writable(encoder->samples);
        }
        if (code >= 0) {
            ((float *)encoder->samples->extended_data[0])[encoder->sample_count] = samples[2 * i];
            ((float *)encoder->samples->extended_data[1])[encoder->sample_count] = samples[2 * i + 1];
            encoder->sample_count += 1;
        }
        if (encoder->sample_count == encoder->sound.encoder->frame_size) {
            code = send_samples(encoder);
        }
    }
    return code < 0 ? fail_to_encode(encoder, code, error) : 0;
}

int composer_finish_encoder(composer_encoder *encoder, ccover_error *error) {
    int code = encode(encoder, &encoder->picture, NULL);
    if (code >= 0 && encoder->sample_count > 0) {
        code = send_samples(encoder);
    }
    if (code >= 0 && encoder->sound.encoder) {
        code = encode(encoder, &encoder->sound, NULL);
    }
    if (code >= 0) {
        code = av_write_trailer(encoder->format);
    }
    avio_flush(encoder->io);
    code = code < 0 ? code : encoder->io->error;
    return code < 0 ? fail_to_encode(encoder, code, error) : 0;
}
