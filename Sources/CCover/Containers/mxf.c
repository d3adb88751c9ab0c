// The part of the frames of an MXF file that is shown (SMPTE ST 377-1). D-10, for example, stores lines of the vertical
// blanking interval above the picture.

#include "Containers/containers.h"

bool ccover_mxf_crop(const ccover_input *input, int64_t width, int64_t height, ccover_crop *crop) {
    enum { MAX_SETS = 256, KEY_BYTES = 16, FIRST_TAG = 0x3202, TAGS = 10 };
    enum { STORED_HEIGHT = 0, SHOWN_HEIGHT = 6, SHOWN_WIDTH = 7, LEFT = 8, TOP = 9 }; // less FIRST_TAG
    static const int64_t local_set = 0x060e2b3402530101, essence = 0x060e2b3401020101;
    int64_t position = 0, key;
    for (int i = 0; i < MAX_SETS && (key = ccover_read_number(input, position, 8)) >= 0 && key != essence; i++) {
        int64_t values[TAGS] = {0}, size = ccover_read_number(input, position += KEY_BYTES, 1);
        int bytes = size >= 0x80 ? (int)size & 0x7f : 0;
        size = bytes > 0 ? ccover_read_number(input, position + 1, bytes) : size;
        position += 1 + bytes;
        int64_t end = av_sat_add64(position, size), length;
        for (int64_t at = position; key == local_set && at < end; at += 4 + length) {
            int64_t tag = ccover_read_number(input, at, 2) - FIRST_TAG;
            length = FFMAX(ccover_read_number(input, at + 2, 2), 0);
            if (tag >= 0 && tag < TAGS && length == 4) {
                values[tag] = ccover_read_number(input, at + 4, 4);
            }
        }
        // If the fields are stored one after the other, the descriptor describes a single field.
        int64_t fields = values[STORED_HEIGHT] == height ? 1 : 2;
        if (values[SHOWN_HEIGHT] > 0 && fields * values[STORED_HEIGHT] == height) {
            *crop = (ccover_crop){.left = values[LEFT], .top = fields * values[TOP], .whole_height = height};
            crop->right = width - crop->left - values[SHOWN_WIDTH];
            crop->bottom = height - crop->top - fields * values[SHOWN_HEIGHT];
            crop->is_stated = crop->left >= 0 && crop->top >= 0 && crop->right >= 0 && crop->bottom >= 0;
            return crop->is_stated;
        }
        position = end;
    }
    return false;
}
