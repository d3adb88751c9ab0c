// Players: each decodes the clip of a canvas in its own thread, a few pictures ahead.

#include "Compose/composition.h"

#include <string.h>

// Threads need little of the stack; the usual 8 MiB of 64 players would fill the address space of a sandboxed process.
enum { STACK_BYTES = 1 << 20 };

void composer_prepare_player(composer_player *player, const ccomposition_canvas *canvas,
                             const ccomposition_options *options) {
    *player = (composer_player){
        .canvas = canvas,
        .options = options,
        .place = composer_place_of(canvas, options->ground),
        .broken_at = -1,
    };
    pthread_mutex_init(&player->lock, NULL);
    pthread_cond_init(&player->changed, NULL);
}

int composer_start_player(composer_player *player, ccover_error *error) {
    for (int i = 0; i < COMPOSER_TILES; i++) {
        player->tiles[i] = composer_make_frame(player->place.tile_width, player->place.tile_height);
        if (!player->tiles[i]) {
            return ccover_fail_out_of_memory(error, CCOVER_STAGE_CONVERT);
        }
    }
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    int code = pthread_create(&player->thread, &attributes, composer_play, player);
    pthread_attr_destroy(&attributes);
    player->has_thread = player->was_started = code == 0;
    return code == 0 ? 0
                     : ccover_fail(error, CCOVER_STAGE_DECODE, CCOVER_CAUSE_OUT_OF_MEMORY, AVERROR(code),
                                   "cannot start a thread: %s", strerror(code));
}

// Moves on to the next tile; the one shown before becomes free.
static void advance(composer_player *player) {
    AVFrame *freed = player->tiles[0];
    memmove(&player->tiles[0], &player->tiles[1], (COMPOSER_TILES - 1) * sizeof(player->tiles[0]));
    memmove(&player->indices[0], &player->indices[1], (COMPOSER_TILES - 1) * sizeof(player->indices[0]));
    player->tiles[COMPOSER_TILES - 1] = freed;
    player->used -= 1;
    pthread_cond_broadcast(&player->changed);
}

bool composer_is_broken_at(const composer_player *player, int64_t index) {
    int64_t broken_at = player->broken_at;
    return broken_at >= 0 && index >= broken_at;
}

const AVFrame *composer_tile_at(composer_player *player, int64_t index) {
    const AVFrame *tile = NULL;
    pthread_mutex_lock(&player->lock);
    for (;;) {
        if (player->used >= 2 && player->indices[1] <= index) {
            advance(player);
        } else if (player->used < 2 && !player->is_over) {
            pthread_cond_wait(&player->changed, &player->lock);
        } else {
            break;
        }
    }
    if (player->used > 0 && !composer_is_broken_at(player, index)) {
        tile = player->tiles[0];
    }
    pthread_mutex_unlock(&player->lock);
    return tile;
}

void composer_stop_player(composer_player *player, bool keeps_shown) {
    if (player->has_thread) {
        pthread_mutex_lock(&player->lock);
        player->is_stopping = true;
        pthread_cond_broadcast(&player->changed);
        pthread_mutex_unlock(&player->lock);
        pthread_join(player->thread, NULL);
        player->has_thread = false;
    }
    for (int i = keeps_shown && player->used > 0; i < COMPOSER_TILES; i++) {
        av_frame_free(&player->tiles[i]);
    }
}

void composer_free_player(composer_player *player) {
    composer_stop_player(player, false);
    pthread_cond_destroy(&player->changed);
    pthread_mutex_destroy(&player->lock);
}
