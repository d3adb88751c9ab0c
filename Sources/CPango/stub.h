// Intentionally empty. This module provides pkg-config's compile and link flags for Pango, Cairo and fontconfig. CText
// includes their headers itself; none of their types is visible in Swift.
