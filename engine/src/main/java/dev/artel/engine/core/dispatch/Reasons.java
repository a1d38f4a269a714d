package dev.artel.engine.core.dispatch;

import dev.artel.kernel.fleet.Availability;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.placement.ClosestWorkers;
import dev.artel.kernel.placement.Eligibility;
import dev.artel.kernel.placement.Placement;
import dev.artel.kernel.placement.Refusal;
import dev.artel.kernel.placement.RefusalCounts;
import dev.artel.kernel.placement.UnmetRequirement;
import dev.artel.kernel.placement.WaitReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/// Finds out why workers do not take the tasks of a class: counted by sets, one by one only for a request.
/// Single-threaded.
final class Reasons {
    /// How many workers are looked at one by one to find the nearest misses: for a placement, and for a question.
    private static final int AT_A_GLANCE = 8;

    private static final int CLOSELY = 256;

    private final WorkerIndex workerIndex;
    private final RefusalCounts.Builder counts = new RefusalCounts.Builder();

    Reasons(WorkerIndex workerIndex) {
        this.workerIndex = workerIndex;
    }

    /// How many workers each reason refuses.
    RefusalCounts refused(DemandClass demand) {
        var fits = demand.fits;
        var room = demand.room;
        var silentInFull = fits.common(room, workerIndex.silent);
        counts.add(Refusal.TYPE, workerIndex.workers() - demand.facts.offering.size());
        for (var i = 1; i < demand.unmet.length; i++) {
            counts.add(demand.criteria.get(i).refusal(), demand.unmet[i]);
        }
        counts.add(Refusal.UNHEALTHY, fits.common(workerIndex.unhealthy));
        counts.add(Refusal.SUSPENDED, fits.common(workerIndex.suspended));
        counts.add(Refusal.DRAINING, fits.common(workerIndex.draining));
        counts.add(Refusal.BUSY, fits.common(workerIndex.busy));
        counts.add(Refusal.CATEGORY_FULL, fits.common(room, workerIndex.ready) + silentInFull);
        counts.add(Refusal.NOT_ASKING, fits.common(workerIndex.silent) - silentInFull);
        return counts.build();
    }

    /// The workers whose profile comes nearest without being enough, among the first that offer the type.
    ClosestWorkers misses(DemandClass demand) {
        var known = demand.misses;
        if (known == null) {
            var glance = new ArrayList<UnmetRequirement>(AT_A_GLANCE);
            demand.missesUpTo = missesByProfile(demand, AT_A_GLANCE, glance);
            known = ClosestWorkers.of(glance);
            demand.misses = known;
        }
        return known;
    }

    /// Adds the misses of the first `most` workers, and returns at which place it stopped.
    private int missesByProfile(
            DemandClass demand, int most, List<UnmetRequirement> unmetRequirements) {
        var found = 0;
        if (demand.unmet.length > 1) {
            var words = workerIndex.words();
            for (var at = 0; at < words; at++) {
                var near = demand.facts.offering.word(at) & ~demand.fits.word(at);
                for (; near != 0; near &= near - 1) {
                    var place = (at << 6) + Long.numberOfTrailingZeros(near);
                    var unmet = demand.criteria.get(demand.firstUnmet(place));
                    unmetRequirements.add(unmet.miss(profile(place)));
                    found++;
                    if (found == most) {
                        return place;
                    }
                }
            }
        }
        return Integer.MAX_VALUE;
    }

    /// Why no worker takes the tasks of `demand`; found out anew only after a change.
    WaitReason why(DemandClass demand, Instant now) {
        var known = demand.reason;
        if (known != null && demand.reasonAt == workerIndex.changes()) {
            return known;
        }
        var unmetRequirements = new ArrayList<UnmetRequirement>();
        var refused = new LinkedHashMap<>(refused(demand));
        var limited = 0;
        var words = workerIndex.words();
        var looked = 0;
        for (var at = 0; at < words && looked < CLOSELY; at++) {
            for (var rest = demand.fits.word(at); rest != 0 && looked < CLOSELY; rest &= rest - 1) {
                var place = (at << 6) + Long.numberOfTrailingZeros(rest);
                var unmetRequirement = byMoment(demand, workerIndex.at(place), profile(place), now);
                if (unmetRequirement.isPresent()) {
                    unmetRequirements.add(unmetRequirement.get());
                    limited += unmetRequirement.get().refusal() == Refusal.RATE_LIMITED ? 1 : 0;
                }
                looked++;
            }
        }
        if (limited > 0) {
            refused.put(Refusal.RATE_LIMITED, limited);
            refused.merge(Refusal.NOT_ASKING, -limited, Integer::sum);
        }
        if (unmetRequirements.size() < Placement.MOST) {
            missesByProfile(demand, CLOSELY, unmetRequirements);
        }
        var reason =
                WaitReason.of(
                        demand.key.type(),
                        demand.key.demand(),
                        workerIndex.workers(),
                        refused,
                        ClosestWorkers.of(unmetRequirements));
        demand.reason = reason;
        demand.reasonAt = limited > 0 ? -1 : workerIndex.changes();
        return reason;
    }

    /// Whether a worker would take a task of `demand` now.
    boolean isServed(DemandClass demand) {
        var ready = workerIndex.ready;
        return demand.fits.common(ready) > demand.fits.common(demand.room, ready);
    }

    /// What is true of one worker.
    Eligibility eligibility(
            DemandClass demand,
            ConnectedWorker connectedWorker,
            WorkerProfile profile,
            Instant now) {
        return new Eligibility(
                connectedWorker.id,
                profile.wire(),
                byProfile(demand, profile)
                        .or(() -> byMoment(demand, connectedWorker, profile, now)),
                workerIndex.timesGivenBack(connectedWorker.place));
    }

    private static Optional<UnmetRequirement> byProfile(DemandClass demand, WorkerProfile profile) {
        for (var criterion : demand.criteria) {
            if (!criterion.admits(profile)) {
                return Optional.of(criterion.miss(profile));
            }
        }
        return Optional.empty();
    }

    private Optional<UnmetRequirement> byMoment(
            DemandClass demand,
            ConnectedWorker connectedWorker,
            WorkerProfile profile,
            Instant now) {
        var type = demand.key.type();
        var declared = demand.key.demand().category();
        var place = connectedWorker.place;
        if (profile.availability() == Availability.UNHEALTHY) {
            return miss(profile, Refusal.UNHEALTHY, "condition", 0, 1);
        }
        if (profile.availability() == Availability.SUSPENDED) {
            return miss(profile, Refusal.SUSPENDED, "condition", 0, 1);
        }
        if (profile.availability() == Availability.DRAINING) {
            return miss(profile, Refusal.DRAINING, "condition", 0, 1);
        }
        if (workerIndex.busy.has(place)) {
            return connectedWorker.used() >= profile.capacity()
                    ? miss(
                            profile,
                            Refusal.BUSY,
                            UnmetRequirement.SLOTS,
                            connectedWorker.used(),
                            profile.capacity())
                    : miss(profile, Refusal.BUSY, "room", 0, 1);
        }
        if (demand.room.has(place)) {
            var category = profile.slots().categoryOf(type, declared);
            var limit = category.map(profile.slots().limits()::get);
            var share = shareMiss(demand.key.client(), connectedWorker, profile, category);
            if (share.isPresent()) {
                return share;
            }
            return limit.isPresent() && connectedWorker.crowd(category.get()) >= limit.get()
                    ? miss(
                            profile,
                            Refusal.CATEGORY_FULL,
                            UnmetRequirement.SLOTS + " for " + category.get(),
                            connectedWorker.crowd(category.get()),
                            limit.get())
                    : miss(profile, Refusal.CATEGORY_FULL, type, 0, 1);
        }
        if (workerIndex.ready.has(place)) {
            return Optional.empty();
        }
        return connectedWorker.limitedUntil.isAfter(now)
                ? miss(profile, Refusal.RATE_LIMITED, "asks", 0, 1)
                : miss(profile, Refusal.NOT_ASKING, "asks", 0, 1);
    }

    /// Where a category has room, and `client` has as much of it as it may have.
    private static Optional<UnmetRequirement> shareMiss(
            String client,
            ConnectedWorker connectedWorker,
            WorkerProfile profile,
            Optional<String> category) {
        var limit = category.map(profile.slots().limits()::get);
        if (limit.isEmpty() || !connectedWorker.isShared()) {
            return Optional.empty();
        }
        var all = connectedWorker.crowd(category.get());
        var own = connectedWorker.crowd(category.get(), client);
        var most = profile.slots().mostOfClient(limit.get(), all - own);
        return all >= limit.get() || own < most
                ? Optional.empty()
                : miss(
                        profile,
                        Refusal.CATEGORY_FULL,
                        UnmetRequirement.SLOTS + " for " + category.get() + " of client " + client,
                        own,
                        Math.max(own, most));
    }

    private static Optional<UnmetRequirement> miss(
            WorkerProfile worker, Refusal refusal, String what, long has, long needs) {
        return Optional.of(UnmetRequirement.now(worker, refusal, what, has, needs));
    }

    private WorkerProfile profile(int place) {
        var profile = workerIndex.at(place).profile();
        if (profile == null) {
            throw new IllegalStateException("the worker at place " + place + " has no profile");
        }
        return profile;
    }
}
