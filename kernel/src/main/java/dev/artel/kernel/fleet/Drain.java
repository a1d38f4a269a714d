package dev.artel.kernel.fleet;

import java.time.Instant;
import java.util.Optional;

/// An operator wants a worker to get no more tasks, until somebody says otherwise.
///
/// @param by who said so
public record Drain(String by, Optional<String> reason, Instant at) {}
