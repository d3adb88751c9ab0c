// MD5 from libmd, a library with the message digests of BSD. The names of thumbnails in freedesktop.org's cache are MD5
// digests. pkg-config provides the link flags.

#include <stdint.h>
#include <md5.h>
