package dev.artel.config;

import java.util.Optional;

/// A setting as operators see it.
///
/// @param name as in a file: `http.port`
/// @param meaning in a few words
/// @param source where its value is from: the flag, the variable, or the name and the file; empty: it has its default
/// @param value as it was given; empty where it has its default, or is a secret
public record SettingLine(
        String name, String meaning, Optional<String> source, Optional<String> value) {}
