package dev.artel.session;

import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.fleet.WorkerProfile;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What is known of one worker that is there.
final class Conversation {
    final WorkerId worker;
    final Holdings holdings = new Holdings();
    Standing standing;
    Instant lastSeen;

    /// Whether the worker has asked for no more work.
    boolean drains;

    /// Whether the worker names the leases that it wants to keep, so that nothing else renews them.
    boolean namesItsLeases;

    /// What the engine was told last.
    private @Nullable WorkerProfile told;

    Conversation(WorkerId worker, Standing standing, Instant now) {
        this.worker = worker;
        this.standing = standing;
        this.lastSeen = now;
    }

    /// The profile, if it is news for the engine.
    @Nullable WorkerProfile news() {
        var profile = standing.profile(worker, drains);
        if (profile.equals(told)) {
            return null;
        }
        told = profile;
        return profile;
    }

    /// The engine has forgotten the worker and what it held.
    void startAnew() {
        told = null;
        drains = false;
        namesItsLeases = false;
    }

    Duration term(SessionSettings settings) {
        return standing.term(settings.lease());
    }

    /// Whether the worker has been silent for so long that it is gone.
    boolean isSilent(SessionSettings settings, Instant now) {
        var patience = namesItsLeases ? term(settings).plus(settings.grace()) : settings.silence();
        return !lastSeen.plus(patience).isAfter(now);
    }
}
