package dev.artel.gateway.mindbus;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/// The names that were logged within the last minute, so that an agent which goes on fills no log. Not safe for use by many threads.
final class LoggedNames {
    /// In a minute; more of them are not logged.
    static final int MOST = 1000;

    private static final Duration PAUSE = Duration.ofMinutes(1);

    private final SequencedMap<String, Instant> logged = new LinkedHashMap<>();

    /// Whether `name` is to be logged at `now`: once a minute. Names are compared as they are logged, by their beginning.
    boolean add(String name, Instant now) {
        logged.values().removeIf(at -> now.isBefore(at) || !now.isBefore(at.plus(PAUSE)));
        return logged.size() < MOST && logged.putIfAbsent(BusEvent.shortened(name), now) == null;
    }
}
