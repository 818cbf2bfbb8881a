//! Vectors in files: those made elsewhere, and the cache of those made here.
