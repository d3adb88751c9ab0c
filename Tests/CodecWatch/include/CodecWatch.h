// CodecWatch: every decoder that anybody opens through libavcodec, in a file.
//
// Linked into a program, it stands in for avcodec_open2, for libavformat too. The file is named after the program as it was
// started, with ".opened" behind: a line for each call, with the decoder's name, whether it could be opened, and its limit of
// pixels.

#ifndef CODECWATCH_H
#define CODECWATCH_H

// Does nothing; a reference to it links the rest in.
void codecwatch_use(void);

#endif
