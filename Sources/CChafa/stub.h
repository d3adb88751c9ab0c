// Intentionally empty. This module provides pkg-config's compile and link flags for libchafa. CTerminal includes
// libchafa's headers itself; no type of libchafa or GLib is visible in Swift.
