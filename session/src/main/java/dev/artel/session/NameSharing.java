package dev.artel.session;

import dev.artel.kernel.attempt.WorkerInstance;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// Whether several processes that live use the name of one worker: each registration of one ends what the others have in work. One
/// that was replaced and is heard of afterwards is the proof: a restart leaves no former process.
final class NameSharing {
    /// How many processes of one worker are remembered.
    private static final int MOST = 16;

    /// After how long without a word of another process there is one again.
    private static final Duration OVER = Duration.ofMinutes(10);

    private final SequencedMap<WorkerInstance, Instant> replaced = new LinkedHashMap<>();
    private Instant registered;
    private WorkerInstance other = WorkerInstance.UNKNOWN;
    private Instant heard = Instant.MIN;
    private @Nullable Instant reported;

    NameSharing(Instant now) {
        registered = now;
    }

    /// Another process registers in the place of `former`.
    void registers(WorkerInstance process, WorkerInstance former, Instant now) {
        registered = now;
        if (!former.isOtherThan(process)) {
            return;
        }
        if (replaced.remove(process) != null) {
            other = former;
            heard = now;
        }
        replaced.put(former, now);
        if (replaced.size() > MOST) {
            replaced.pollFirstEntry();
        }
    }

    /// `process` is heard of while `current` is the one that registered last. What was on its way when that registered proves nothing.
    void hears(WorkerInstance process, WorkerInstance current, Instant now) {
        if (process.isOtherThan(current) && !now.isBefore(registered.plus(HeldLeases.LATE))) {
            other = process;
            heard = now;
        }
    }

    /// Another process that was heard of lately; empty if there is none.
    Optional<WorkerInstance> other(Instant now) {
        return other.value().isEmpty() || heard.plus(OVER).isBefore(now)
                ? Optional.empty()
                : Optional.of(other);
    }

    /// Whether that is to be reported, which it is once for as long as it is remembered.
    boolean isToBeReported(Instant now) {
        var before = reported;
        if (other(now).isEmpty() || (before != null && now.isBefore(before.plus(OVER)))) {
            return false;
        }
        reported = now;
        return true;
    }
}
