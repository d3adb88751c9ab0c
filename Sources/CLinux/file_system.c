// Calls about files that Swift does not import, because they are Linux extensions.

#include "CLinux.h"

#include <fcntl.h>
#include <sys/vfs.h>

void clinux_begin_writeback(int descriptor) {
    // A file system that cannot do this writes when the file is synced.
    (void)sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
}

bool clinux_is_on_network(const char *path) {
    // NFS, SMB (three), FUSE, 9P, Ceph and AFS, as in statfs(2).
    static const unsigned kinds[] = {0x6969,     0x517B,     0xFF534D42, 0xFE534D42,
                                     0x65735546, 0x01021997, 0x00C36400, 0x5346414F};
    struct statfs status;
    if (statfs(path, &status) != 0) {
        return false;
    }
    for (unsigned index = 0; index < sizeof kinds / sizeof *kinds; index++) {
        if (kinds[index] == (unsigned)status.f_type) {
            return true;
        }
    }
    return false;
}
