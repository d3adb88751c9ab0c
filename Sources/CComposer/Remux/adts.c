// The headers of AAC (ADTS, ISO/IEC 14496-3, 1.A.3.2).

#include "Remux/remux.h"

#include <libavutil/intreadwrite.h>

bool ccomposer_follows_adts(ccomposer_adts *adts, const AVStream *stream, const AVPacket *packet) {
    const AVCodecParameters *parameters = stream->codecpar;
    bool has_header = parameters->codec_id == AV_CODEC_ID_AAC && parameters->extradata_size == 0 && packet->size >= 7 &&
                      (AV_RB16(packet->data) & 0xfff6) == 0xfff0;
    if (!has_header) {
        return true;
    }
    // Between them is a bit for private use.
    unsigned header = AV_RB16(packet->data + 2) & 0xfdc0;
    adts->first = adts->first != 0 ? adts->first : header | 1;
    bool is_same = (header | 1) == adts->first;
    adts->others = is_same ? 0 : adts->others + 1;
    return is_same;
}
