package dev.artel.e2e.fuzz;

import dev.artel.testkit.service.OptionalService;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// A wire of workers, or of submitters.
enum FuzzedWire {
    /// Long polls.
    HTTP(Optional.empty()),
    /// WebSockets.
    WS(Optional.empty()),
    /// `PUSH/1`.
    ZEROMQ(Optional.empty()),
    /// Agents, each with an account of its own at the broker.
    RABBITMQ(Optional.of(OptionalService.RABBITMQ)),
    /// Submitters of tasks, each with an account of its own at Redis.
    REDIS(Optional.of(OptionalService.REDIS));

    /// What it needs beside the JDK.
    final Optional<OptionalService> service;

    FuzzedWire(Optional<OptionalService> service) {
        this.service = service;
    }

    /// Its word on the command line.
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Whether what it needs is here.
    boolean isPresent() {
        return service.isEmpty() || service.get().isPresent();
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
