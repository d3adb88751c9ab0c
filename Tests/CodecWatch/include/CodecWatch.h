// CodecWatch: records every decoder that a program opens through libavcodec.
//
// A program that links this target calls its replacement for avcodec_open2(), also from libavformat. Each call appends
// a line with the decoder's name, whether it was opened, and its max_pixels to a file. The name of the file is argv[0]
// followed by ".opened".

#ifndef CODECWATCH_H
#define CODECWATCH_H

// Does nothing. Calling it makes sure that the replacement is linked in.
void codecwatch_use(void);

#endif
