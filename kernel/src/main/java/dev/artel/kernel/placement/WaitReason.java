package dev.artel.kernel.placement;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// Why a queued task has no worker yet.
///
/// @param hold what keeps it
/// @param text in one sentence, with what would unblock it
/// @param unblock what would unblock it, alone
/// @param workers how many workers the fleet has
/// @param refused how many of them each reason refused, in the order of [Refusal]
/// @param nearest the workers that came nearest, nearest first, at most 5
/// @param until when it changes by itself at the latest; empty if that is not known
public record WaitReason(
        Hold hold,
        String text,
        String unblock,
        int workers,
        SequencedMap<Refusal, Integer> refused,
        List<Miss> nearest,
        Optional<Instant> until) {
    /// What keeps a task waiting.
    public sealed interface Hold {
        /// The word on wires.
        String word();
    }

    /// No worker is connected.
    public record NoWorkers() implements Hold {
        @Override
        public String word() {
            return "no_workers";
        }
    }

    /// No worker takes it; those that came nearest were refused for this.
    public record Refused(Refusal by) implements Hold {
        @Override
        public String word() {
            return by == Refusal.TYPE ? "no_worker_of_type" : by.word();
        }
    }

    /// It is not to be tried again yet.
    public record Backoff() implements Hold {
        @Override
        public String word() {
            return "backoff";
        }
    }

    /// A worker was found, and it is being made durable.
    public record Placing() implements Hold {
        @Override
        public String word() {
            return "placing";
        }
    }

    /// Copies the collections.
    public WaitReason {
        refused = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(refused));
        nearest = List.copyOf(nearest.subList(0, Math.min(Placement.MOST, nearest.size())));
    }

    /// The reason of a task that backs off.
    ///
    /// @param failed how many of its attempts have failed or were lost
    public static WaitReason backoff(int failed, Instant until) {
        var unblock = "time; it is tried again at " + until;
        var text =
                failed == 0
                        ? "it was handed out and came back unstarted, and is offered again at "
                                + until
                        : "it backs off after attempt "
                                + failed
                                + " and is offered again at "
                                + until;
        return new WaitReason(
                new Backoff(),
                text,
                unblock,
                0,
                new LinkedHashMap<>(),
                List.of(),
                Optional.of(until));
    }

    /// The reason of a task whose grant is under way.
    public static WaitReason placing() {
        return new WaitReason(
                new Placing(),
                "a worker was found, and its grant is being made durable",
                "nothing is needed",
                0,
                new LinkedHashMap<>(),
                List.of(),
                Optional.empty());
    }

    /// The reason of the tasks of a demand that no worker takes now.
    ///
    /// @param refused how many of `workers` each reason refused
    /// @param nearest those that came nearest
    public static WaitReason of(
            String type,
            Demand demand,
            int workers,
            SequencedMap<Refusal, Integer> refused,
            List<Miss> nearest) {
        var inOrder = new LinkedHashMap<Refusal, Integer>();
        Refusal furthest = null;
        for (var refusal : Refusal.values()) {
            var count = refused.getOrDefault(refusal, 0);
            if (count > 0) {
                inOrder.put(refusal, count);
                furthest = refusal;
            }
        }
        if (furthest == null && workers > 0) {
            return placing();
        }
        var hold = furthest == null ? new NoWorkers() : new Refused(furthest);
        var wording = new Wording(type, demand, workers, inOrder, nearest);
        var unblock = wording.unblock(hold);
        return new WaitReason(
                hold,
                wording.why(hold) + "; " + unblock,
                unblock,
                workers,
                inOrder,
                nearest,
                Optional.empty());
    }

    /// This reason, which ends by itself at `instant`.
    public WaitReason until(Instant instant, String then) {
        return new WaitReason(
                hold,
                text + " (" + then + " at " + instant + ")",
                unblock,
                workers,
                refused,
                nearest,
                Optional.of(instant));
    }
}
