package dev.artel.e2e.fuzz;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/// A wire of workers.
enum FuzzedWire {
    /// Long polls.
    HTTP,
    /// WebSockets.
    WS,
    /// `PUSH/1`.
    ZEROMQ;

    /// Its word on the command line.
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// @throws IllegalArgumentException if there is none of that word
    static FuzzedWire of(String word) {
        return Arrays.stream(values())
                .filter(wire -> wire.word().equals(word))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "--wire must be one of "
                                        + Arrays.stream(values())
                                                .map(FuzzedWire::word)
                                                .collect(Collectors.joining(", "))
                                        + ", was \""
                                        + word
                                        + "\""));
    }
}
