// QR codes from libqrencode.

#include <qrencode.h>
