package dev.artel.kernel.fleet;

import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.WorkerId;
import java.time.Instant;

/// Something to remember of a worker. One that is not known yet becomes known with it.
public sealed interface FleetChange {
    /// Whom it is about.
    WorkerId worker();

    /// When it happened.
    Instant at();

    /// The worker was there.
    record Seen(WorkerId worker, Instant at) implements FleetChange {}

    /// The worker has registered: its former registration is forgotten.
    ///
    /// @param words in the form of its own message
    record Registered(WorkerId worker, JsonObject words, Instant at) implements FleetChange {}

    /// Some of its attempts ended.
    ///
    /// @param outcomes made of [Reputation#NEW] and these attempts
    record Judged(WorkerId worker, Reputation outcomes, Instant at) implements FleetChange {}

    /// An operator wants it to get no more tasks.
    record Drained(WorkerId worker, Drain drain) implements FleetChange {
        @Override
        public Instant at() {
            return drain.at();
        }
    }

    /// An operator lets it have tasks again.
    record Undrained(WorkerId worker, Instant at) implements FleetChange {}
}
