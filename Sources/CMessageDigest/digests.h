// MD5 from libmd, the digests of BSD as a library of their own: thumbnails in freedesktop.org's cache are named by it.
// The link flags come from pkg-config.

#include <stdint.h>
#include <md5.h>
