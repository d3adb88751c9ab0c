// Opening a clip.

#ifndef CCOVER_CLIP_H
#define CCOVER_CLIP_H

#include "Pictures/pictures.h"

// clip.c
// Opens a clip like `ccover_open`, but reads only the header of the container and selects no stream: packets of any
// stream can be read with av_read_frame().
int ccover_open_unselected(int descriptor, const ccover_limits *limits, ccover_clip **clip, ccover_error *error);

#endif
