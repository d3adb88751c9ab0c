// The texts that a clip contains about itself and its streams, such as a title.

#include "Clip/clip.h"

#include <string.h>

static const AVDictionary *dictionary_of(const ccover_demuxer *demuxer, int32_t stream) {
    if (stream < 0) {
        return demuxer->format->metadata;
    }
    return (unsigned)stream < demuxer->format->nb_streams ? demuxer->format->streams[stream]->metadata : NULL;
}

size_t ccover_get_text(const ccover_clip *clip, int32_t stream, const char *key, char text[CCOVER_TEXT_SIZE]) {
    size_t key_length = strlen(key);
    bool is_prefix = key_length > 0 && key[key_length - 1] == '-';
    const AVDictionaryEntry *entry =
        av_dict_get(dictionary_of(clip->demuxer, stream), key, NULL, is_prefix ? AV_DICT_IGNORE_SUFFIX : 0);
    memset(text, 0, CCOVER_TEXT_SIZE);
    if (!entry) {
        return 0;
    }
    size_t length = strlen(entry->value);
    memcpy(text, entry->value, length < CCOVER_TEXT_SIZE ? length : CCOVER_TEXT_SIZE - 1);
    return length;
}
