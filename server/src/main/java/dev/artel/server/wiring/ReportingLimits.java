package dev.artel.server.wiring;

import dev.artel.gateway.access.TokenConnections;
import dev.artel.gateway.access.WorkerLimits;
import dev.artel.kernel.attempt.WorkerId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.BiConsumer;

/// Reports to the dispatcher whose polls are refused, so that the explanation of a task can name that as what it waits for.
final class ReportingLimits implements WorkerLimits {
    private final WorkerLimits limits;
    private final InstantSource clock;
    private final BiConsumer<WorkerId, Instant> refusedUntil;

    ReportingLimits(
            WorkerLimits limits, InstantSource clock, BiConsumer<WorkerId, Instant> refusedUntil) {
        this.limits = limits;
        this.clock = clock;
        this.refusedUntil = refusedUntil;
    }

    @Override
    public Optional<Duration> take(WorkerId worker, Kind kind) {
        var wait = limits.take(worker, kind);
        if (kind == Kind.POLL) {
            wait.ifPresent(time -> refusedUntil.accept(worker, clock.instant().plus(time)));
        }
        return wait;
    }

    @Override
    public TokenConnections connections() {
        return limits.connections();
    }

    @Override
    public Optional<Duration> takeBytes(WorkerId worker, long bytes) {
        return limits.takeBytes(worker, bytes);
    }

    @Override
    public Optional<Duration> refused(String from, String reason) {
        return limits.refused(from, reason);
    }

    @Override
    public void giveBack(WorkerId worker, Kind kind) {
        limits.giveBack(worker, kind);
    }
}
