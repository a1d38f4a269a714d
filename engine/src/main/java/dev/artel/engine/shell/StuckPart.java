package dev.artel.engine.shell;

import java.time.Duration;

/// A part of the engine that has been at one and the same thing for too long.
///
/// @param part its name
/// @param since for how long
/// @param at where its thread is, the innermost call first
public record StuckPart(String part, Duration since, String at) {
    /// In one line, for people.
    public String text() {
        return part + " has been at the same thing for " + since.toSeconds() + " s, at " + at;
    }
}
