package dev.artel.engine.core.dispatch;

import dev.artel.kernel.fleet.Condition;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.placement.Miss;
import dev.artel.kernel.placement.Placement;
import dev.artel.kernel.placement.Refusal;
import dev.artel.kernel.placement.Verdict;
import dev.artel.kernel.placement.WaitReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// Says why workers do not take the tasks of a class: counted by sets, one by one only when somebody asks.
/// Single-threaded.
final class Reasons {
    /// How many workers are looked at one by one to find the nearest misses: for a placement, and for a question.
    private static final int AT_A_GLANCE = 8;

    private static final int CLOSELY = 256;

    private static final Comparator<Miss> NEAREST_FIRST =
            (one, other) -> {
                var byRefusal = other.refusal().compareTo(one.refusal());
                if (byRefusal != 0) {
                    return byRefusal;
                }
                var byDistance = Double.compare(one.distance(), other.distance());
                return byDistance != 0 ? byDistance : one.worker().compareTo(other.worker());
            };

    private final Floor floor;

    Reasons(Floor floor) {
        this.floor = floor;
    }

    /// How many workers each reason refuses.
    SequencedMap<Refusal, Integer> refused(DemandClass demand) {
        if (demand.refusedAt != floor.profiles()) {
            demand.refusedByProfile = countByProfile(demand);
            demand.refusedAt = floor.profiles();
        }
        var refused = new LinkedHashMap<Refusal, Integer>();
        for (var i = 0; i < demand.refusedByProfile.length; i++) {
            put(refused, demand.criteria.get(i).refusal(), demand.refusedByProfile[i]);
        }
        countByMoment(demand, refused);
        return refused;
    }

    private int[] countByProfile(DemandClass demand) {
        var counts = new int[demand.sets.length];
        var words = floor.words();
        for (var at = 0; at < words; at++) {
            var rest = floor.present.word(at);
            for (var i = 0; rest != 0 && i < counts.length; i++) {
                var admitted = demand.sets[i].word(at);
                counts[i] += Long.bitCount(rest & ~admitted);
                rest &= admitted;
            }
        }
        return counts;
    }

    private void countByMoment(DemandClass demand, SequencedMap<Refusal, Integer> refused) {
        var unhealthy = 0;
        var draining = 0;
        var busy = 0;
        var crowded = 0;
        var silent = 0;
        var words = floor.words();
        for (var at = 0; at < words; at++) {
            var rest = demand.fits.word(at);
            if (rest == 0) {
                continue;
            }
            unhealthy += Long.bitCount(rest & floor.unhealthy.word(at));
            rest &= ~floor.unhealthy.word(at);
            draining += Long.bitCount(rest & floor.draining.word(at));
            rest &= ~floor.draining.word(at);
            busy += Long.bitCount(rest & floor.full.word(at));
            rest &= ~floor.full.word(at);
            crowded += Long.bitCount(rest & demand.room.word(at));
            rest &= ~demand.room.word(at);
            silent += Long.bitCount(rest & ~floor.asking.word(at));
        }
        put(refused, Refusal.UNHEALTHY, unhealthy);
        put(refused, Refusal.DRAINING, draining);
        put(refused, Refusal.BUSY, busy);
        put(refused, Refusal.CATEGORY_FULL, crowded);
        put(refused, Refusal.NOT_ASKING, silent);
    }

    private static void put(SequencedMap<Refusal, Integer> refused, Refusal reason, int count) {
        if (count > 0) {
            refused.merge(reason, count, Integer::sum);
        }
    }

    /// The workers whose profile comes nearest without being enough, among those that offer the type.
    List<Miss> misses(DemandClass demand) {
        if (demand.hasNews) {
            demand.misses = missesByProfile(demand, AT_A_GLANCE);
            demand.hasNews = false;
        }
        return demand.misses;
    }

    private List<Miss> missesByProfile(DemandClass demand, int most) {
        var misses = new ArrayList<Miss>();
        if (demand.sets.length > 1) {
            var words = floor.words();
            for (var at = 0; at < words && misses.size() < most; at++) {
                var near = demand.sets[0].word(at) & floor.present.word(at) & ~demand.fits.word(at);
                for (; near != 0 && misses.size() < most; near &= near - 1) {
                    var place = (at << 6) + Long.numberOfTrailingZeros(near);
                    misses.add(demand.firstUnmet(place).miss(profile(place)));
                }
            }
        }
        return nearest(misses);
    }

    private static List<Miss> nearest(List<Miss> misses) {
        misses.sort(NEAREST_FIRST);
        return List.copyOf(misses.subList(0, Math.min(Placement.MOST, misses.size())));
    }

    /// Why nobody takes the tasks of `demand`; found out anew only after a change.
    WaitReason why(DemandClass demand, Instant now) {
        var known = demand.reason;
        if (known != null && demand.reasonAt == floor.changes()) {
            return known;
        }
        var misses = new ArrayList<Miss>();
        var refused = refused(demand);
        var limited = 0;
        var words = floor.words();
        var looked = 0;
        for (var at = 0; at < words && looked < CLOSELY; at++) {
            for (var rest = demand.fits.word(at); rest != 0 && looked < CLOSELY; rest &= rest - 1) {
                var place = (at << 6) + Long.numberOfTrailingZeros(rest);
                var miss = byMoment(demand, floor.at(place), profile(place), now);
                if (miss.isPresent()) {
                    misses.add(miss.get());
                    limited += miss.get().refusal() == Refusal.RATE_LIMITED ? 1 : 0;
                }
                looked++;
            }
        }
        if (limited > 0) {
            var silent = refused.getOrDefault(Refusal.NOT_ASKING, 0) - limited;
            refused.remove(Refusal.NOT_ASKING);
            put(refused, Refusal.RATE_LIMITED, limited);
            put(refused, Refusal.NOT_ASKING, silent);
        }
        if (misses.size() < Placement.MOST) {
            misses.addAll(missesByProfile(demand, CLOSELY));
        }
        var reason =
                WaitReason.of(
                        demand.key.type(),
                        demand.key.demand(),
                        floor.workers(),
                        refused,
                        nearest(misses));
        demand.reason = reason;
        demand.reasonAt = limited > 0 ? -1 : floor.changes();
        return reason;
    }

    /// What is true of one worker.
    Verdict verdict(DemandClass demand, Desk desk, WorkerProfile profile, Instant now) {
        return new Verdict(
                desk.id, byProfile(demand, profile).or(() -> byMoment(demand, desk, profile, now)));
    }

    private static Optional<Miss> byProfile(DemandClass demand, WorkerProfile profile) {
        for (var criterion : demand.criteria) {
            if (!criterion.admits(profile)) {
                return Optional.of(criterion.miss(profile));
            }
        }
        return Optional.empty();
    }

    private Optional<Miss> byMoment(
            DemandClass demand, Desk desk, WorkerProfile profile, Instant now) {
        var type = demand.key.type();
        var said = demand.key.demand().category();
        var place = desk.place;
        if (profile.condition() == Condition.UNHEALTHY) {
            return miss(desk, Refusal.UNHEALTHY, "condition", 0, 1);
        }
        if (profile.condition() == Condition.DRAINING) {
            return miss(desk, Refusal.DRAINING, "condition", 0, 1);
        }
        if (floor.full.has(place)) {
            return desk.used() >= profile.capacity()
                    ? miss(desk, Refusal.BUSY, Miss.SLOTS, desk.used(), profile.capacity())
                    : miss(desk, Refusal.BUSY, "room", 0, 1);
        }
        if (demand.room.has(place)) {
            var category = profile.slots().categoryOf(type, said);
            var limit = category.map(profile.slots().limits()::get);
            return limit.isPresent() && desk.crowd(category.get()) >= limit.get()
                    ? miss(
                            desk,
                            Refusal.CATEGORY_FULL,
                            Miss.SLOTS + " for " + category.get(),
                            desk.crowd(category.get()),
                            limit.get())
                    : miss(desk, Refusal.CATEGORY_FULL, type, 0, 1);
        }
        if (floor.asking.has(place)) {
            return Optional.empty();
        }
        return desk.limitedUntil.isAfter(now)
                ? miss(desk, Refusal.RATE_LIMITED, "asks", 0, 1)
                : miss(desk, Refusal.NOT_ASKING, "asks", 0, 1);
    }

    private static Optional<Miss> miss(
            Desk desk, Refusal refusal, String what, long has, long needs) {
        return Optional.of(Miss.now(desk.id, refusal, what, has, needs));
    }

    private WorkerProfile profile(int place) {
        var profile = floor.at(place).profile();
        if (profile == null) {
            throw new IllegalStateException("the worker at place " + place + " has no profile");
        }
        return profile;
    }
}
