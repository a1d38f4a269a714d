package dev.artel.engine.core.watch;

/// Something that does not look as it should, at one moment.
///
/// @param key names it, the same as long as it is the same
/// @param expected what should be
/// @param found what is
/// @param advice what a person can do
record StallCandidate(String key, String expected, String found, String advice) {}
