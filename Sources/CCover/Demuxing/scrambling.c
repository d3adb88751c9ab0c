// Scrambled transport and program streams (ISO/IEC 13818-1): recordings of encrypted channels, and DVDs. FFmpeg ignores
// the scrambling bits: it finds no packets if their headers are scrambled, too, and otherwise decodes noise.

#include "Support/compat.h"
#include "Demuxing/demuxing.h"

#include <unistd.h>

// The packets of a stream whose headers could be read.
typedef struct packet_count {
    int clear, scrambled;
    bool starts_scrambled;
} packet_count;

enum { BLOCK = 64 * 1024, TS_BYTES = 188 };

static bool is_scrambled_pes(const uint8_t *pes) {
    enum { HAS_FLAGS = 0x80, FLAGS = 0xc0, SCRAMBLING = 0x30 };
    return (pes[6] & FLAGS) == HAS_FLAGS && (pes[6] & SCRAMBLING) != 0;
}

static void count_packet(packet_count *count, bool is_scrambled) {
    count->starts_scrambled = count->starts_scrambled || (is_scrambled && count->clear == 0);
    count->scrambled += is_scrambled;
    count->clear += !is_scrambled;
}

// Returns where the packets of a transport stream begin in a block, and stores how far they are apart; or returns -1.
static int find_packets(const uint8_t *block, int size, int *distance) {
    enum { SYNC = 0x47, REPEATS = 8 };
    static const int distances[] = {TS_BYTES, 192, 204};
    for (int i = 0; i < 3; i++) {
        *distance = distances[i];
        for (int start = 0; start + REPEATS * *distance <= size; start++) {
            int packets = 0;
            while (packets < REPEATS && block[start + packets * *distance] == SYNC) {
                packets++;
            }
            if (packets == REPEATS) {
                return start;
            }
        }
    }
    return -1;
}

static void count_in_transport_stream(const uint8_t *block, int size, int pid, packet_count *count) {
    enum { HAS_PAYLOAD = 0x10, HAS_ADAPTATION = 0x20, SCRAMBLING = 0xc0, STARTS = 0x40, PES_HEADER = 7 };
    int distance;
    int start = find_packets(block, size, &distance);
    for (int i = start; i >= 0 && i + TS_BYTES <= size; i += distance) {
        const uint8_t *packet = block + i;
        if ((AV_RB16(packet + 1) & 0x1fff) != pid || (packet[3] & HAS_PAYLOAD) == 0) {
            continue;
        }
        int header = (packet[3] & HAS_ADAPTATION) != 0 ? 5 + packet[4] : 4;
        bool has_pes = (packet[1] & STARTS) != 0 && header + PES_HEADER <= TS_BYTES;
        bool is_scrambled = (packet[3] & SCRAMBLING) != 0 || (has_pes && is_scrambled_pes(packet + header));
        if (is_scrambled || has_pes) {
            count_packet(count, is_scrambled);
        }
    }
}

int64_t ccover_find_transport_stream(const ccover_input *input) {
    enum { MAX_BYTES = 1 << 20, PROGRAMMES = 0 };
    uint8_t block[BLOCK];
    packet_count tables = {0};
    int64_t first = -1;
    for (int64_t position = 0; tables.clear == 0 && position <= MAX_BYTES; position += BLOCK) {
        int distance, size = (int)pread(input->descriptor, block, BLOCK, position);
        int start = find_packets(block, size, &distance);
        first = start < 0 ? -1 : (first < 0 ? position + start : first);
        count_in_transport_stream(block, size, PROGRAMMES, &tables);
    }
    return tables.clear > 0 ? first : -1;
}

static void count_in_program_stream(const uint8_t *block, int size, int stream, packet_count *count) {
    enum { PES_HEADER = 7, LENGTH = 4 };
    for (int i = 0; i + PES_HEADER <= size; i++) {
        const uint8_t *pes = block + i;
        if (AV_RB24(pes) == 1 && pes[3] == stream) {
            count_packet(count, is_scrambled_pes(pes));
            i += AV_RB16(pes + LENGTH);
        }
    }
}

static packet_count count_between(const ccover_demuxer *demuxer, int64_t start, int64_t end) {
    bool is_transport_stream = ccover_is_container(demuxer, "mpegts");
    uint8_t block[BLOCK];
    packet_count count = {0};
    for (int64_t position = start; position < end; position += BLOCK) {
        int size = (int)pread(demuxer->input.descriptor, block, BLOCK, position);
        if (is_transport_stream) {
            count_in_transport_stream(block, size, demuxer->stream->id, &count);
        } else {
            count_in_program_stream(block, size, demuxer->stream->id & 0xff, &count);
        }
    }
    return count;
}

void ccover_look_for_scrambling(ccover_demuxer *demuxer, const AVFrame *frame, bool is_damaged) {
    enum { BLOCKS = 4, LEAST = 2, LEAST_SHARE = 8 };
    bool has_frame = frame->buf[0] != NULL;
    int64_t end = avio_tell(demuxer->io);
    bool is_protected = is_damaged && demuxer->encryption.scheme[0] != '\0';
    // Programs that remove the scrambling may leave the bits as they are.
    bool is_stream = demuxer->input.is_seekable && demuxer->kind->is_mpeg_stream &&
                     !(has_frame && count_between(demuxer, 0, BLOCK).starts_scrambled);
    // On a DVD, only some of the packets are scrambled.
    packet_count count = is_stream ? count_between(demuxer, FFMAX(end - BLOCKS * BLOCK, 0), end) : (packet_count){0};
    if (is_protected || (count.scrambled >= LEAST && count.scrambled >= count.clear / LEAST_SHARE)) {
        demuxer->encryption.was_met = true;
        demuxer->encryption.met_time =
            has_frame ? av_sat_add64(ccover_timestamp(frame), ccover_compat_duration(frame))
                      : AV_NOPTS_VALUE;
    }
}
