package dev.artel.kernel.fleet;

import java.time.Instant;
import java.util.Optional;

/// An operator wants a worker to get no more tasks, until an operator ends it.
///
/// @param by the operator
public record Drain(String by, Optional<String> reason, Instant at) {}
