// CCertificate: makes and examines the TLS certificate of a shared board through OpenSSL's libcrypto.
//
// Ownership: texts from `ccertificate_make` are freed with `ccertificate_free`, handles with `ccertificate_close`.
// NULL: a pointer may be NULL only if it is marked `_Nullable`.
// Errors: functions return NULL on failure; those that take a `ccertificate_error` then fill it in.
// Threads: a handle may be used by one thread at a time; different ones are independent.

#ifndef CCERTIFICATE_H
#define CCERTIFICATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { CCERTIFICATE_DIGEST_BYTES = 32 };

// The error of a failed call. The caller owns it.
typedef struct ccertificate_error {
    char message[256]; // one line of text
} ccertificate_error;

// A certificate that was parsed.
typedef struct ccertificate ccertificate;

// What a certificate contains.
typedef struct ccertificate_facts {
    int64_t begin; // in seconds since 1970
    int64_t end;
    uint8_t digest[CCERTIFICATE_DIGEST_BYTES]; // SHA-256, the fingerprint that browsers show
} ccertificate_facts;

// Makes a P-256 key and a certificate for servers that it signs itself. Returns both as PEM, the certificate first.
//
// `subject` is the common name. `names` lists the alternative names as OpenSSL's configuration does, such as
// "DNS:studio.local,IP:192.168.1.5". It is valid from `begin` to `end`, in seconds since 1970.
char *_Nullable ccertificate_make(const char *_Nonnull subject, const char *_Nonnull names, int64_t begin, int64_t end,
                                  ccertificate_error *_Nonnull error);

// Frees a text from `ccertificate_make`, which contains a private key, and overwrites it.
void ccertificate_free(char *_Nullable pem);

// Parses the first certificate in a PEM text. Returns NULL if it contains no certificate.
ccertificate *_Nullable ccertificate_open(const void *_Nonnull pem, size_t length);

// Frees a certificate.
void ccertificate_close(ccertificate *_Nullable certificate);

// Returns what a certificate contains.
ccertificate_facts ccertificate_read(const ccertificate *_Nonnull certificate);

// Returns whether an alternative name of a certificate is `name`, a host name or an IP address.
bool ccertificate_covers(const ccertificate *_Nonnull certificate, const char *_Nonnull name);

#ifdef __cplusplus
}
#endif

#endif
