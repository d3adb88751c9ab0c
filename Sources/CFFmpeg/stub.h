// Intentionally empty. This module provides pkg-config's compile and link flags for FFmpeg's libraries. CCover includes
// their headers itself; no FFmpeg type is visible in Swift.
