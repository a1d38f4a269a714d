package dev.artel.card.yaml;

/// Something that keeps a text from being read.
///
/// @param message for people, without the place
public record YamlProblem(TextPosition at, String message) {}
