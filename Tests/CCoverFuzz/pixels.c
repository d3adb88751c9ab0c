// Renders every supported pixel format at small and odd sizes and in every orientation, from a clip handle with a
// synthetic frame. Widths 1 to 66 cross every vector length.
//
// Each picture is rendered twice, with different initial bytes in the rows, in the frame's padding and in all memory
// that is allocated meanwhile: a cover must depend on nothing but the frame.

#include "exercise.h"

#include "Pictures/pictures.h"

#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// How the planes of a frame are stored.
typedef enum storage {
    PADDED,  // as allocated by av_frame_get_buffer() for a decoder
    TIGHT,   // rows without padding, as in a packet of raw video
    FLIPPED, // padded, bottom row first
    STORAGES,
} storage;

enum { LARGEST_WIDTH = 66, ORIENTATIONS = 8 };
static const int heights[] = {1, 2, 3, 5, 18};
enum { HEIGHTS = sizeof(heights) / sizeof(heights[0]) };

// Properties of a frame that select different code in the renderer.
typedef enum kind { PLAIN, PQ, HLG, TOP_FIRST, BOTTOM_FIRST, KINDS } kind;

typedef struct pixel_case {
    enum AVPixelFormat format;
    int width;
    int height;
    storage storage;
    int orientation; // a bit set: transposes, mirrors x, mirrors y
    int layout;
    kind kind;
    int size; // 0 full size, 1 half, 2 wider only, 3 larger
} pixel_case;

static arena frame_arena;

static void leave_alone(void *opaque, uint8_t *data) {
    (void)opaque, (void)data;
}

// Computes the offsets and strides of the planes, and the size of the whole. Returns false on failure.
static bool lay_out(const pixel_case *it, ptrdiff_t offsets[4], int strides[4], size_t *size) {
    if (it->storage == TIGHT) {
        uint8_t *planes[4];
        // The start is not NULL, so that absent planes can be recognised.
        uint8_t *start = (uint8_t *)64;
        int bytes = av_image_fill_arrays(planes, strides, start, it->format, it->width, it->height, 1);
        for (int i = 0; i < 4; i++) {
            offsets[i] = planes[i] ? planes[i] - start : -1;
        }
        *size = (size_t)bytes + AV_INPUT_BUFFER_PADDING_SIZE;
        return bytes > 0;
    }
    AVFrame *model = av_frame_alloc();
    model->format = it->format;
    model->width = it->width;
    model->height = it->height;
    bool is_good = av_frame_get_buffer(model, 0) >= 0 && !model->buf[1];
    if (is_good) {
        for (int i = 0; i < 4; i++) {
            offsets[i] = model->data[i] ? model->data[i] - model->buf[0]->data : -1;
            strides[i] = model->linesize[i];
        }
        // A multiple of 64, so that every plane has the same alignment as in a decoder's frame.
        *size = (model->buf[0]->size + 63) / 64 * 64;
    }
    av_frame_free(&model);
    return is_good;
}

// Fills the pixels of a frame, but not its padding, from a fixed seed. They do not depend on the storage.
static void fill_planes(const pixel_case *it, uint8_t *const planes[4], const int strides[4]) {
    uint64_t state = 7;
    const AVPixFmtDescriptor *description = av_pix_fmt_desc_get(it->format);
    for (int plane = 0; plane < 4 && planes[plane]; plane++) {
        bool is_palette = plane == 1 && (description->flags & AV_PIX_FMT_FLAG_PAL) != 0;
        bool is_chroma = plane == 1 || plane == 2;
        int rows = is_palette ? 1 : is_chroma ? AV_CEIL_RSHIFT(it->height, description->log2_chroma_h) : it->height;
        int bytes = is_palette ? AVPALETTE_SIZE : av_image_get_linesize(it->format, it->width, plane);
        for (int y = 0; y < rows; y++) {
            for (int x = 0; x < bytes; x++) {
                planes[plane][(ptrdiff_t)y * strides[plane] + x] = (uint8_t)next_random(&state);
            }
        }
    }
}

static void set_interlaced(AVFrame *frame, bool is_interlaced, bool is_top_first) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(58, 7, 100)
    frame->flags |= (is_interlaced ? AV_FRAME_FLAG_INTERLACED : 0) | (is_top_first ? AV_FRAME_FLAG_TOP_FIELD_FIRST : 0);
#else
    frame->interlaced_frame = is_interlaced;
    frame->top_field_first = is_top_first;
#endif
}

// Attaches a display matrix with the orientation.
static void set_orientation(AVFrame *frame, int orientation) {
    bool transposes = (orientation & 1) != 0;
    int32_t matrix[9] = {[8] = 1 << 30};
    matrix[transposes ? 3 : 0] = orientation & 2 ? -(1 << 16) : 1 << 16;
    matrix[transposes ? 1 : 4] = orientation & 4 ? -(1 << 16) : 1 << 16;
    AVFrameSideData *data = av_frame_new_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX, sizeof(matrix));
    memcpy(data->data, matrix, sizeof(matrix));
}

static AVFrame *make_frame(const pixel_case *it, uint8_t padding) {
    ptrdiff_t offsets[4];
    int strides[4];
    size_t size;
    if (!lay_out(it, offsets, strides, &size)) {
        return NULL;
    }
    uint8_t *bytes = guarded_bytes(&frame_arena, size);
    memset(bytes, padding, size);
    AVFrame *frame = av_frame_alloc();
    frame->format = it->format;
    frame->width = it->width;
    frame->height = it->height;
    frame->color_trc = it->kind == PQ ? AVCOL_TRC_SMPTE2084 : it->kind == HLG ? AVCOL_TRC_ARIB_STD_B67
                                                                              : AVCOL_TRC_UNSPECIFIED;
    set_orientation(frame, it->orientation);
    set_interlaced(frame, it->kind == TOP_FIRST || it->kind == BOTTOM_FIRST, it->kind == TOP_FIRST);
    frame->buf[0] = av_buffer_create(bytes, size, leave_alone, NULL, 0);
    const AVPixFmtDescriptor *description = av_pix_fmt_desc_get(it->format);
    for (int i = 0; i < 4 && offsets[i] >= 0; i++) {
        frame->data[i] = bytes + offsets[i];
        frame->linesize[i] = strides[i];
        bool is_palette = i == 1 && (description->flags & AV_PIX_FMT_FLAG_PAL) != 0;
        if (it->storage == FLIPPED && !is_palette) {
            bool is_chroma = i == 1 || i == 2;
            int rows = is_chroma ? AV_CEIL_RSHIFT(it->height, description->log2_chroma_h) : it->height;
            frame->data[i] += (ptrdiff_t)(rows - 1) * strides[i];
            frame->linesize[i] = -strides[i];
        }
    }
    fill_planes(it, frame->data, frame->linesize);
    return frame;
}

static bool render_case(const pixel_case *it, uint8_t filling, ccover_picture *picture) {
    fill_allocations((uint8_t)(filling ^ 0x5a));
    AVFrame *frame = make_frame(it, (uint8_t)~filling);
    if (!frame) {
        broken("a frame of this format cannot be created");
        return false;
    }
    ccover_demuxer demuxer = {0};
    ccover_position position = {.frame = frame};
    ccover_clip clip = {.demuxer = &demuxer, .position = &position};
    bool is_rendered = render_guarded(&clip, picture, filling);
    sws_freeContext(clip.scaler);
    av_frame_free(&frame);
    return is_rendered;
}

// Whether swscale does not support the frame: Bayer formats without a whole 2 × 2 block, XYZ with the bottom row first.
static bool may_be_refused(const pixel_case *it) {
    const AVPixFmtDescriptor *description = av_pix_fmt_desc_get(it->format);
    bool is_bayer = (description->flags & AV_PIX_FMT_FLAG_BAYER) != 0;
    bool is_xyz = strncmp(description->name, "xyz", 3) == 0;
    return (is_bayer && (it->width < 2 || it->height < 2)) || (is_xyz && it->storage == FLIPPED);
}

// The size that a case is rendered to.
static ccover_picture picture_of(const pixel_case *it) {
    bool transposes = (it->orientation & 1) != 0;
    int width = transposes ? it->height : it->width;
    int height = transposes ? it->width : it->height;
    switch (it->size) {
    case 1:
        width = (width + 1) / 2;
        height = (height + 1) / 2;
        break;
    case 2:
        width = width + width / 3 + 1;
        break;
    case 3:
        width += 3;
        height += 2;
        break;
    default:
        break;
    }
    return (ccover_picture){.width = width, .height = height, .layout = (ccover_layout)it->layout};
}

static void run_case(const pixel_case *it) {
    ccover_picture picture = picture_of(it);
    begin_case(20, "%s, %d×%d, storage %d, orientation %d, layout %d, kind %d, to %d×%d",
               av_get_pix_fmt_name(it->format), it->width, it->height, (int)it->storage, it->orientation, it->layout, (int)it->kind, picture.width,
               picture.height);
    bool had_rows = render_case(it, 0x00, &picture);
    size_t used = (size_t)picture.width * pixel_bytes(picture.layout);
    uint8_t *first = malloc(used * (size_t)picture.height);
    for (int y = 0; had_rows && y < picture.height; y++) {
        memcpy(first + (size_t)y * used, picture.rows + (size_t)y * picture.row_bytes, used);
    }
    bool has_rows = render_case(it, 0xff, &picture);
    if (had_rows != has_rows || (!has_rows && !may_be_refused(it))) {
        broken("rendering fails");
    }
    for (int y = 0; had_rows && has_rows && y < picture.height; y++) {
        if (memcmp(first + (size_t)y * used, picture.rows + (size_t)y * picture.row_bytes, used) != 0) {
            broken("row %d contains bytes that are not from the frame", y);
            break;
        }
    }
    free(first);
    end_case();
}

// Runs all orientations, layouts, storages, kinds and picture sizes of one format and frame size.
static long run_all(pixel_case it) {
    long cases = 0;
    for (it.storage = PADDED; it.storage < STORAGES; it.storage++) {
        for (it.orientation = 0; it.orientation < ORIENTATIONS; it.orientation++) {
            for (it.layout = 0; it.layout < layout_case_count; it.layout++) {
                for (it.size = 0; it.size < 4; it.size++) {
                    for (it.kind = PLAIN; it.kind < KINDS; it.kind++, cases++) {
                        run_case(&it);
                    }
                }
            }
        }
    }
    return cases;
}

// Runs one of them, a different one each time. At two heights, also runs all layouts at full size without orientation,
// where swscale has fast paths.
static long run_some(pixel_case it, uint64_t *state) {
    long cases = 1;
    for (it.layout = 0; it.layout < layout_case_count && (it.height == 2 || it.height == 5); it.layout++, cases++) {
        it.kind = it.layout % 2 == it.width / 2 % 2 ? PLAIN : PQ;
        run_case(&it);
    }
    uint64_t choice = next_random(state);
    it.storage = (storage)(choice % STORAGES);
    it.orientation = (int)(choice / 3 % ORIENTATIONS);
    it.layout = (int)(choice / 24 % (uint64_t)layout_case_count);
    it.size = (int)(choice / 1024 % 4);
    it.kind = (kind)(choice / 65536 % KINDS);
    run_case(&it);
    return cases;
}

void sweep_pixels(bool all, int share, int shares) {
    long supported = 0, formats = 0, cases = 0;
    const AVPixFmtDescriptor *description = NULL;
    while ((description = av_pix_fmt_desc_next(description))) {
        pixel_case it = {.format = av_pix_fmt_desc_get_id(description)};
        if (!sws_isSupportedInput(it.format) || supported++ % shares != share) {
            continue;
        }
        formats += 1;
        uint64_t state = (uint64_t)it.format;
        for (it.width = 1; it.width <= LARGEST_WIDTH; it.width++) {
            for (int i = 0; i < HEIGHTS; i++) {
                it.height = heights[i];
                cases += all ? run_all(it) : run_some(it, &state);
            }
        }
    }
    printf("pixels: %ld formats, %ld cases\n", formats, cases);
}
