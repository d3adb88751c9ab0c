// FFmpeg's values in the plain words of the header.

#include "internal.h"

#include <libavutil/pixdesc.h>
#include <stdio.h>

void ccover_set_name(char name[CCOVER_NAME_SIZE], const char *text) {
    snprintf(name, CCOVER_NAME_SIZE, "%s", text ? text : "");
}

void ccover_set_colour(ccover_colour *colour, int format, enum AVColorSpace matrix, enum AVColorRange range,
                       enum AVColorTransferCharacteristic transfer, enum AVColorPrimaries primaries) {
    *colour = (ccover_colour){0};
    ccover_set_name(colour->pixel_format, av_get_pix_fmt_name((enum AVPixelFormat)format));
    if (matrix != AVCOL_SPC_UNSPECIFIED) {
        ccover_set_name(colour->matrix, av_color_space_name(matrix));
    }
    if (range != AVCOL_RANGE_UNSPECIFIED) {
        ccover_set_name(colour->range, av_color_range_name(range));
    }
    if (transfer != AVCOL_TRC_UNSPECIFIED) {
        ccover_set_name(colour->transfer, av_color_transfer_name(transfer));
    }
    if (primaries != AVCOL_PRI_UNSPECIFIED) {
        ccover_set_name(colour->primaries, av_color_primaries_name(primaries));
    }
}

bool ccover_assumes_matrix(enum AVColorSpace matrix) {
    switch (matrix) {
    case AVCOL_SPC_BT709:
    case AVCOL_SPC_FCC:
    case AVCOL_SPC_BT470BG:
    case AVCOL_SPC_SMPTE170M:
    case AVCOL_SPC_SMPTE240M:
    case AVCOL_SPC_BT2020_NCL:
    case AVCOL_SPC_BT2020_CL:
        return false;
    default:
        return true;
    }
}

ccover_rational ccover_known(AVRational value) {
    bool is_known = value.num > 0 && value.den > 0;
    return is_known ? (ccover_rational){value.num, value.den} : (ccover_rational){0, 0};
}
