package dev.artel.session;

import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.fleet.Availability;
import dev.artel.kernel.fleet.WorkerProfile;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is known of one worker that is there.
final class WorkerSession {
    final WorkerId worker;

    /// Whose token it has.
    final String token;

    final HeldLeases heldLeases;
    WorkerStatus workerStatus;
    Instant lastSeen;

    /// Since when it could have been heard of again.
    private Instant silentSince;

    /// Whether several processes use its name.
    final NameSharing nameSharing;

    /// What the worker has listed and does not hold, as the engine has answered to the list before; set by the [Roster], which counts its
    /// memory.
    List<LeaseToken> notHeld = List.of();

    /// Whether the worker has asked for no more work.
    boolean drains;

    /// Whether the worker names the leases that it wants to keep, so that nothing else renews them.
    boolean namesItsLeases;

    /// Whether it has been silent for longer than workers that are well.
    boolean overdue;

    /// For how many tasks at most an answer to a poll of it had room lately, so that none is granted for which there is none.
    int mostPerPoll = Integer.MAX_VALUE;

    /// Over which wire it gets tasks.
    String wire = WorkerProfile.HTTP;

    /// When its silence is looked at next; [Instant#MAX] if it is not looked at.
    Instant lookedAt = Instant.MAX;

    /// What it declares about itself, as the engine understands it, and the status of which that was made.
    private @Nullable WorkerProfile declared;

    private @Nullable WorkerStatus declaredWith;
    private boolean declaredDraining;

    /// What the engine received last.
    private @Nullable WorkerProfile lastReported;

    WorkerSession(
            WorkerId worker,
            String token,
            WorkerStatus workerStatus,
            HeldLeases heldLeases,
            Instant now) {
        this.worker = worker;
        this.token = token;
        this.heldLeases = heldLeases;
        this.workerStatus = workerStatus;
        this.lastSeen = now;
        this.silentSince = now;
        this.nameSharing = new NameSharing(now);
    }

    /// The profile, if it is another one than the engine received last.
    @Nullable WorkerProfile changedProfile() {
        var profile = profile();
        if (profile.equals(lastReported)) {
            return null;
        }
        lastReported = profile;
        return profile;
    }

    /// The profile that the engine has is out of date.
    void reportAgain() {
        lastReported = null;
    }

    private WorkerProfile profile() {
        var declared = declared();
        var profile = declared.wire().equals(wire) ? declared : declared.over(wire);
        return overdue && !profile.draining() ? profile.with(Availability.UNHEALTHY) : profile;
    }

    /// Made anew only of new words: most heartbeats bring none.
    @SuppressWarnings("ReferenceEquality") // the same object, not an equal one
    private WorkerProfile declared() {
        var known = declared;
        if (known == null || declaredWith != workerStatus || declaredDraining != drains) {
            known = workerStatus.profile(worker, drains);
            declared = known;
            declaredWith = workerStatus;
            declaredDraining = drains;
        }
        return known;
    }

    /// An answer to a poll had room for `taken` of the tasks that were `granted`.
    void hasRoomFor(int taken, int granted) {
        if (taken < granted) {
            mostPerPoll = taken;
        } else if (taken == mostPerPoll) {
            mostPerPoll = 2 * taken;
        }
    }

    void seen(Instant now) {
        lastSeen = now;
        silentSince = now;
        overdue = false;
    }

    /// That it could not be heard before `time` proves nothing about it.
    void couldNotBeHeardUntil(Instant time) {
        silentSince = time.isAfter(silentSince) ? time : silentSince;
    }

    /// A heartbeat reports that the worker has so many tasks.
    void counted(int load, Instant now) {
        heldLeases.confirmByLoad(load, now);
    }

    /// A heartbeat reports which tasks the worker has.
    void listed(List<LeaseToken> tokens, Instant now) {
        namesItsLeases = true;
        heldLeases.confirmByList(tokens, now);
    }

    WorkerSnapshot present(int polls, Instant now) {
        return new WorkerSnapshot(
                worker,
                workerStatus.record(),
                profile(),
                lastSeen,
                overdue,
                wire,
                polls,
                nameSharing.other(now));
    }

    /// The engine has forgotten the worker and what it held.
    void startAnew() {
        lastReported = null;
        drains = false;
        namesItsLeases = false;
    }

    Duration term(SessionSettings settings) {
        return workerStatus.term(settings.lease());
    }

    /// Whether the worker has been silent for so long that it is gone.
    boolean isSilent(SessionSettings settings, Instant now) {
        return !silentSince.plus(longestSilence(settings)).isAfter(now);
    }

    /// From when on the worker has been silent for longer than one that is well.
    Instant overdueFrom(SessionSettings settings) {
        return silentSince.plusNanos(longestSilence(settings).toNanos() / 2);
    }

    private Duration longestSilence(SessionSettings settings) {
        return namesItsLeases ? term(settings).plus(settings.grace()) : settings.silence();
    }
}
