package dev.artel.kernel.placement;

import dev.artel.kernel.task.Rate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SequencedMap;

/// Why a queued task has no worker yet.
///
/// @param hold what keeps it
/// @param why in one sentence, with what would unblock it, without the turn
/// @param unblock what would unblock it, alone
/// @param workers how many workers the fleet has
/// @param refused how many of them each reason refused, in the order of [Refusal]
/// @param nearest the workers that came nearest, nearest first, at most 5
/// @param until when it changes by itself at the latest; empty if that is not known
/// @param turn whose turn comes before; empty if the task stands in no queue, or alone
public record WaitReason(
        Hold hold,
        String why,
        String unblock,
        int workers,
        SequencedMap<Refusal, Integer> refused,
        List<UnmetRequirement> nearest,
        Optional<Instant> until,
        Optional<Turn> turn) {
    /// Where a task stands among those that want the same workers: the highest priority first, then clients take turns, then
    /// the jobs of a client, then the oldest task of the job.
    ///
    /// @param clients how many clients have tasks of its priority that wait
    /// @param jobs how many jobs of its own client do
    /// @param tasks how many tasks of its own job go first, counted up to [#MOST_COUNTED]
    public record Turn(double priority, String client, int clients, int jobs, int tasks) {
        /// Up to so many tasks are counted.
        public static final int MOST_COUNTED = 1_000;

        private boolean isAlone() {
            return clients <= 1 && jobs <= 1 && tasks == 0;
        }

        private String text() {
            var level = priority == Math.rint(priority) ? "" + (long) priority : "" + priority;
            var before = new ArrayList<String>();
            if (clients > 1) {
                before.add(clients + " clients take turns");
            }
            if (jobs > 1) {
                before.add(jobs + " jobs of client " + client + " wait");
            }
            if (tasks > 0) {
                before.add(
                        (tasks == MOST_COUNTED ? "at least " : "")
                                + (tasks == 1
                                        ? "1 task of this job goes first"
                                        : tasks + " tasks of this job go first"));
            }
            return "its turn at priority " + level + ": " + String.join(", ", before);
        }

        private Turn ofJob() {
            return new Turn(priority, client, clients, jobs, 0);
        }
    }

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

    /// A limit that it shares with others has no room.
    ///
    /// @param key what is limited
    /// @param used how many tasks with the key are with workers
    /// @param most how many may be; empty if the rate is what keeps it
    public record Limited(String key, OptionalInt used, OptionalInt most) implements Hold {
        @Override
        public String word() {
            return "limit";
        }
    }

    /// As many tasks of its client stand in the queues as may, and it is in none yet.
    public record Postponed() implements Hold {
        @Override
        public String word() {
            return "postponed";
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
                Optional.of(until),
                Optional.empty());
    }

    /// The reason of a task that waits until another one with the same key ends.
    ///
    /// @param used how many of at most `most` are with workers
    public static WaitReason atLimit(String key, int used, int most) {
        var unblock = "it may go when a task with " + key + " ends; a higher limit speeds that up";
        return limited(
                new Limited(key, OptionalInt.of(used), OptionalInt.of(most)),
                "limit "
                        + key
                        + " lets "
                        + most
                        + (most == 1 ? " task" : " tasks")
                        + " be with workers at once, and "
                        + used
                        + (used == 1 ? " is; " : " are; ")
                        + unblock,
                unblock,
                Optional.empty());
    }

    /// The reason of a task that waits for its turn under a rate.
    public static WaitReason atRate(String key, Rate rate, Instant until) {
        var unblock = "time; the next one may go at " + until;
        return limited(
                new Limited(key, OptionalInt.empty(), OptionalInt.empty()),
                "limit " + key + " lets " + rate + " go to workers; " + unblock,
                unblock,
                Optional.of(until));
    }

    private static WaitReason limited(
            Limited hold, String text, String unblock, Optional<Instant> until) {
        return new WaitReason(
                hold, text, unblock, 0, new LinkedHashMap<>(), List.of(), until, Optional.empty());
    }

    /// The reason of a task that stands in no queue, since as many of its client do as may.
    ///
    /// @param queued how many do
    public static WaitReason postponed(String client, int queued) {
        var unblock = "it joins the queue when some of those have gone to workers";
        return new WaitReason(
                new Postponed(),
                queued
                        + " tasks of client "
                        + client
                        + " wait in the queues, as many as may; "
                        + unblock,
                unblock,
                0,
                new LinkedHashMap<>(),
                List.of(),
                Optional.empty(),
                Optional.empty());
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
                Optional.empty(),
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
            List<UnmetRequirement> nearest) {
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
        var waitReasonText = new WaitReasonText(type, demand, workers, inOrder, nearest);
        var unblock = waitReasonText.unblock(hold);
        return new WaitReason(
                hold,
                waitReasonText.why(hold) + "; " + unblock,
                unblock,
                workers,
                inOrder,
                nearest,
                Optional.empty(),
                Optional.empty());
    }

    /// This reason, which ends by itself at `instant`.
    public WaitReason until(Instant instant, String then) {
        return new WaitReason(
                hold,
                why + " (" + then + " at " + instant + ")",
                unblock,
                workers,
                refused,
                nearest,
                Optional.of(instant),
                turn);
    }

    /// This reason of a task that stands in a queue; the same if no other stands there.
    public WaitReason inTurn(Turn where) {
        return withTurn(Optional.of(where).filter(it -> !it.isAlone()));
    }

    /// This reason as it is of all tasks of the job that wait for the same: without how many of them go first.
    public WaitReason ofJob() {
        return withTurn(turn.map(Turn::ofJob).filter(it -> !it.isAlone()));
    }

    private WaitReason withTurn(Optional<Turn> where) {
        return where.equals(turn)
                ? this
                : new WaitReason(hold, why, unblock, workers, refused, nearest, until, where);
    }

    /// In one sentence, with whose turn comes before and what would unblock it.
    public String text() {
        return turn.isEmpty() || hold instanceof NoWorkers || isOfType()
                ? why
                : why + " (" + turn.get().text() + ")";
    }

    /// Whether no worker offers the type: nobody's turn comes.
    private boolean isOfType() {
        return hold instanceof Refused(var by) && by == Refusal.TYPE;
    }
}
