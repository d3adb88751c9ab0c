// The lower bound for a second run: a stat of every clip in a folder and of its cover.
//
//     stat_all CLIPS COVERS
//
// Walks CLIPS and calls stat for each file and for COVERS/PATH.png. Exits with status 1 if a cover is missing, so that
// the time for a wrong folder is not used.

#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_PATH = 4200, MAX_FOLDERS_OPEN = 20 };

static const char *covers;
static size_t clips_length, clips, missing;

static int look(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status;
    (void)place;
    char cover[MAX_PATH];
    struct stat found;
    if (kind == FTW_F) {
        clips++;
        int length = snprintf(cover, sizeof(cover), "%s%s.png", covers, path + clips_length);
        missing += length >= (int)sizeof(cover) || stat(cover, &found) != 0;
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: stat_all CLIPS COVERS\n");
        return 64;
    }
    covers = argv[2];
    clips_length = strlen(argv[1]);
    if (nftw(argv[1], look, MAX_FOLDERS_OPEN, FTW_PHYS) != 0) {
        perror(argv[1]);
        return 2;
    }
    printf("%zu clips, %zu without cover\n", clips, missing);
    return missing > 0;
}
