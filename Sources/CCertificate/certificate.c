#include "CCertificate.h"

#include <limits.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct ccertificate {
    X509 *x509;
};

// The random part of a serial number, in bytes; RFC 5280 allows 20 bytes with a positive sign.
enum { SERIAL_BYTES = 16 };

// MARK: Making

static bool set_serial(X509 *x509) {
    unsigned char bytes[SERIAL_BYTES];
    if (RAND_bytes(bytes, sizeof bytes) != 1) return false;
    bytes[0] = (bytes[0] & 0x3F) | 0x40; // positive, and never shorter
    BIGNUM *number = BN_bin2bn(bytes, sizeof bytes, NULL);
    bool is_set = number && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(x509));
    BN_free(number);
    return is_set;
}

static bool add_extension(X509 *x509, int kind, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, x509, x509, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
    bool is_added = extension && X509_add_ext(x509, extension, -1);
    X509_EXTENSION_free(extension);
    return is_added;
}

static bool fill(X509 *x509, EVP_PKEY *key, const char *subject, const char *names, int64_t begin, int64_t end) {
    X509_NAME *name = X509_get_subject_name(x509);
    return X509_set_version(x509, X509_VERSION_3) && set_serial(x509)
           && ASN1_TIME_set(X509_getm_notBefore(x509), (time_t)begin)
           && ASN1_TIME_set(X509_getm_notAfter(x509), (time_t)end)
           && X509_NAME_add_entry_by_NID(name, NID_commonName, MBSTRING_UTF8, (const unsigned char *)subject, -1, -1, 0)
           && X509_set_issuer_name(x509, name) && X509_set_pubkey(x509, key)
           && add_extension(x509, NID_basic_constraints, "critical,CA:FALSE")
           && add_extension(x509, NID_key_usage, "critical,digitalSignature")
           && add_extension(x509, NID_ext_key_usage, "serverAuth")
           && add_extension(x509, NID_subject_alt_name, names) && X509_sign(x509, key, EVP_sha256());
}

static char *pem_of(X509 *x509, EVP_PKEY *key) {
    BIO *output = BIO_new(BIO_s_mem());
    char *pem = NULL;
    if (output && PEM_write_bio_X509(output, x509)
        && PEM_write_bio_PKCS8PrivateKey(output, key, NULL, NULL, 0, NULL, NULL)) {
        char *bytes;
        long count = BIO_get_mem_data(output, &bytes);
        pem = count > 0 ? strndup(bytes, (size_t)count) : NULL;
    }
    BIO_free(output);
    return pem;
}

char *ccertificate_make(const char *subject, const char *names, int64_t begin, int64_t end, ccertificate_error *error) {
    ERR_clear_error();
    X509 *x509 = X509_new();
    EVP_PKEY *key = EVP_EC_gen("P-256");
    char *pem = x509 && key && fill(x509, key, subject, names, begin, end) ? pem_of(x509, key) : NULL;
    if (!pem) {
        const char *reason = ERR_reason_error_string(ERR_peek_last_error());
        snprintf(error->message, sizeof error->message, "%s", reason ? reason : "out of memory");
    }
    EVP_PKEY_free(key);
    X509_free(x509);
    return pem;
}

void ccertificate_free(char *pem) {
    if (!pem) return;
    OPENSSL_cleanse(pem, strlen(pem));
    free(pem);
}

// MARK: Reading

ccertificate *ccertificate_open(const void *pem, size_t length) {
    BIO *input = length <= INT_MAX ? BIO_new_mem_buf(pem, (int)length) : NULL;
    X509 *x509 = input ? PEM_read_bio_X509(input, NULL, NULL, NULL) : NULL;
    BIO_free(input);
    ccertificate *certificate = x509 ? malloc(sizeof *certificate) : NULL;
    if (certificate) certificate->x509 = x509;
    else X509_free(x509);
    return certificate;
}

void ccertificate_close(ccertificate *certificate) {
    if (!certificate) return;
    X509_free(certificate->x509);
    free(certificate);
}

static int64_t seconds(const ASN1_TIME *time) {
    struct tm parts;
    return ASN1_TIME_to_tm(time, &parts) ? (int64_t)timegm(&parts) : 0;
}

ccertificate_facts ccertificate_read(const ccertificate *certificate) {
    ccertificate_facts facts = {
        .begin = seconds(X509_get0_notBefore(certificate->x509)),
        .end = seconds(X509_get0_notAfter(certificate->x509)),
    };
    X509_digest(certificate->x509, EVP_sha256(), facts.digest, NULL);
    return facts;
}

bool ccertificate_covers(const ccertificate *certificate, const char *name) {
    return X509_check_ip_asc(certificate->x509, name, 0) == 1
           || X509_check_host(certificate->x509, name, 0, X509_CHECK_FLAG_NEVER_CHECK_SUBJECT, NULL) == 1;
}
