package dev.artel.schedule.rules;

import dev.artel.json.JsonMemory;
import dev.artel.kernel.job.JobId;
import dev.artel.schedule.rules.RunPolicy.Overlap;
import dev.artel.schedule.rules.ScheduledRun.Kind;
import dev.artel.schedule.rules.ScheduledRun.Phase;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/// What becomes of schedules: pure functions from one state to the next. A state is durable before anything is done that it asks
/// for, so a process that ends at any point repeats what it was at, under the same idempotency keys.
public final class ScheduleRules {
    /// A tick that is at most so late runs as if it were on time.
    public static final Duration ON_TIME = Duration.ofMinutes(1);

    /// How many ticks one backfill may have.
    public static final int MOST_BACKFILLED = 1000;

    /// About how many bytes the inputs of the jobs of one backfill may take in memory.
    static final long MOST_BACKFILLED_BYTES = 32 << 20;

    /// How many runs that persons asked for may wait for their submission.
    public static final int MOST_MANUAL = 20;

    /// How many backfills may wait.
    public static final int MOST_BACKFILLS = 10;

    /// No more missed ticks are counted.
    private static final int MOST_COUNTED = 10_000;

    /// How many ticks one call decides about; the next call goes on.
    private static final int MOST_AT_ONCE = 100;

    private static final int TOGETHER = 50;
    private static final Duration FIRST_DELAY = Duration.ofSeconds(1);
    private static final Duration LONGEST_DELAY = Duration.ofMinutes(5);
    private static final int DELAYS_THAT_GROW = 10;

    private ScheduleRules() {}

    /// Decides about the ticks until `now`, and about what waits. The same again changes nothing, once it has changed nothing.
    public static ScheduleState advance(
            ScheduleDefinition schedule, ScheduleState state, Instant now) {
        if (state.paused().isPresent()) {
            return state;
        }
        var inTime = dropLate(schedule, state, now);
        var released = release(schedule, inTime, now);
        var ticked = onTime(schedule, missed(schedule, released, now), now);
        return backfill(schedule, ticked, now);
    }

    /// When [#advance] or a submission has something to do next, without what jobs bring about that end; empty: never.
    public static Optional<Instant> wake(ScheduleDefinition schedule, ScheduleState state) {
        var times = new ArrayList<Instant>();
        var isPaused = state.paused().isPresent();
        for (var run : state.runs()) {
            if (run.phase() instanceof Phase.Due due && (!isPaused || run.kind() == Kind.MANUAL)) {
                times.add(due.notBefore());
            }
            if (!isPaused && run.isPending()) {
                lastStart(schedule, run).ifPresent(times::add);
            }
        }
        if (!isPaused) {
            nextTick(schedule, state)
                    .map(tick -> tick.plus(jitter(schedule, tick)))
                    .ifPresent(times::add);
        }
        return times.stream().min(Instant::compareTo);
    }

    /// Since when something of it is due that is not there: the decision about a tick, or the job of a run, however often its
    /// submission was refused. Runs that wait for the ends of others are not due. Empty: nothing is.
    public static Optional<Instant> dueSince(
            ScheduleDefinition schedule, ScheduleState state, Instant now) {
        var times = new ArrayList<Instant>();
        var isPaused = state.paused().isPresent();
        for (var run : state.runs()) {
            if (run.phase() instanceof Phase.Due due && (!isPaused || run.kind() == Kind.MANUAL)) {
                times.add(due.notBefore().minus(delays(due.attempts())));
            }
        }
        if (!isPaused) {
            nextTick(schedule, state)
                    .map(tick -> tick.plus(jitter(schedule, tick)))
                    .ifPresent(times::add);
        }
        return times.stream().filter(time -> !time.isAfter(now)).min(Instant::compareTo);
    }

    /// The first tick that is not decided; empty: there is none.
    public static Optional<Instant> nextTick(ScheduleDefinition schedule, ScheduleState state) {
        return schedule.timing()
                .next(cursor(schedule, state))
                .filter(tick -> schedule.ends().filter(tick::isAfter).isEmpty());
    }

    /// The next ticks after `now`, whether it is paused or not.
    public static List<Instant> upcoming(
            ScheduleDefinition schedule, ScheduleState state, Instant now, int most) {
        var cursor = cursor(schedule, state);
        return schedule.timing()
                .between(
                        cursor.isAfter(now) ? cursor : now,
                        schedule.ends().orElse(Instant.MAX),
                        most);
    }

    /// By how much the run of `tick` is later, always the same.
    public static Duration jitter(ScheduleDefinition schedule, Instant tick) {
        var most = schedule.policy().jitter().toMillis();
        var seed = schedule.id().hashCode() * 0x9E3779B97F4A7C15L ^ tick.toEpochMilli();
        return most == 0
                ? Duration.ZERO
                : Duration.ofMillis(new SplittableRandom(seed).nextLong(most + 1));
    }

    private static Instant cursor(ScheduleDefinition schedule, ScheduleState state) {
        var cursor =
                state.cursor().isBefore(schedule.timingSince())
                        ? schedule.timingSince()
                        : state.cursor();
        return schedule.starts()
                .map(start -> start.minusMillis(1))
                .filter(cursor::isBefore)
                .orElse(cursor);
    }

    /// Nothing runs from now on but what persons ask for; a schedule that is paused stays so, for the first reason.
    public static ScheduleState pause(
            ScheduleState state, String by, Optional<String> reason, Instant now) {
        return state.paused().isPresent()
                ? state
                : state.withPause(Optional.of(new ScheduleState.Pause(by, now, reason)));
    }

    /// It runs again. Ticks of the pause are recorded and do not run.
    public static ScheduleState resume(
            ScheduleDefinition schedule, ScheduleState state, Instant now) {
        if (state.paused().isEmpty()) {
            return state;
        }
        var pause = state.paused().get();
        var passed = limit(schedule, now);
        var resumed = state.withPause(Optional.empty());
        var skipped =
                skip(
                        schedule,
                        resumed,
                        passed,
                        now,
                        Kind.TICK,
                        "the schedule was paused by "
                                + pause.by()
                                + pause.reason().map(why -> ": " + why).orElse(""));
        return passed.isAfter(skipped.cursor()) ? skipped.withCursor(passed) : skipped;
    }

    /// A job runs at once, whatever else does.
    ///
    /// @param request the same again changes nothing; empty: each is another run
    /// @throws TooManyRuns if [#MOST_MANUAL] of them wait
    public static ScheduleState runNow(
            ScheduleState state, String by, Optional<String> request, Instant now) {
        if (request.flatMap(state::requested).isPresent()) {
            return state;
        }
        var waiting =
                state.runs().stream()
                        .filter(run -> run.kind() == Kind.MANUAL && run.isPending())
                        .count();
        if (waiting >= MOST_MANUAL) {
            throw new TooManyRuns(
                    waiting
                            + " runs that persons asked for wait for their submission, which is the"
                            + " most; the runs of the schedule show why they wait");
        }
        var run = state.with(Kind.MANUAL, now, now, Optional.of(by), Phase.Due.at(now, List.of()));
        return run.change(run.last(), it -> it.under(request));
    }

    /// The ticks from `from` until `until`, both inclusive, run. One whose job is there already keeps it.
    ///
    /// @throws IllegalArgumentException if there are none, too many, or too many backfills that wait
    public static ScheduleState backfill(
            ScheduleDefinition schedule,
            ScheduleState state,
            Instant from,
            Instant until,
            boolean isTogether,
            String by,
            Instant now) {
        if (until.isAfter(now)) {
            throw new IllegalArgumentException(
                    "until must not be in the future, was " + until + ", and it is " + now);
        }
        if (from.isAfter(until)) {
            throw new IllegalArgumentException(
                    "from must not be after until, was " + from + " and " + until);
        }
        var before = from.minusMillis(1);
        var ticks = schedule.timing().count(before, until, MOST_BACKFILLED + 1);
        if (ticks == 0) {
            throw new IllegalArgumentException(
                    "there is no tick from "
                            + from
                            + " until "
                            + until
                            + "; ask for a longer time");
        }
        if (ticks > MOST_BACKFILLED) {
            throw new IllegalArgumentException(
                    "a backfill has at most "
                            + MOST_BACKFILLED
                            + " ticks, and there are more from "
                            + from
                            + " until "
                            + until
                            + "; ask for a shorter time");
        }
        var input = JsonMemory.bytes(TickInput.of(schedule, until));
        if (input * ticks > MOST_BACKFILLED_BYTES) {
            throw new IllegalArgumentException(
                    "the input of a job takes about "
                            + input
                            + " bytes of memory, and those of the "
                            + ticks
                            + " ticks of a backfill at most "
                            + MOST_BACKFILLED_BYTES
                            + "; ask for a shorter time of at most "
                            + MOST_BACKFILLED_BYTES / input
                            + " ticks, or make the input smaller");
        }
        if (state.backfills().size() >= MOST_BACKFILLS) {
            throw new IllegalArgumentException(
                    "there are "
                            + MOST_BACKFILLS
                            + " backfills that wait, which is the most; wait until one is done");
        }
        var more = new ArrayList<>(state.backfills());
        var number = more.isEmpty() ? 1 : more.getLast().number() + 1;
        more.add(new ScheduleBackfill(number, before, until, isTogether, by));
        return state.withBackfills(more);
    }

    /// The job of a run is there.
    public static ScheduleState submitted(ScheduleState state, long number, JobId job) {
        return state.change(number, run -> run.with(new Phase.Submitted(job)));
    }

    /// The submission of a run was refused: it is tried again later, or not any more.
    ///
    /// @param isFinal whether the same submission is refused each time
    /// @param isOpen whether its outcome is unknown, so that it must be tried until it is known
    public static ScheduleState refused(
            ScheduleDefinition schedule,
            ScheduleState state,
            long number,
            String error,
            boolean isFinal,
            boolean isOpen,
            Instant now) {
        return state.change(
                number,
                run -> {
                    if (!(run.phase() instanceof Phase.Due due)) {
                        return run;
                    }
                    var attempts = due.attempts() + 1;
                    if (!isOpen && (isFinal || attempts >= schedule.policy().attempts())) {
                        return run.with(new Phase.Refused(error, attempts));
                    }
                    return run.with(
                            new Phase.Due(
                                    attempts,
                                    Optional.of(error),
                                    now.plus(delay(attempts)),
                                    due.cancels(),
                                    isOpen));
                });
    }

    /// All delays until the attempt after `attempts`, without the time of the attempts themselves.
    private static Duration delays(int attempts) {
        var growing = Math.min(attempts, DELAYS_THAT_GROW);
        var sum = LONGEST_DELAY.multipliedBy(attempts - growing);
        for (var attempt = 1; attempt <= growing; attempt++) {
            sum = sum.plus(delay(attempt));
        }
        return sum;
    }

    private static Duration delay(int attempts) {
        var doubled = FIRST_DELAY.multipliedBy(1L << Math.min(attempts - 1, 10));
        return doubled.compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY : doubled;
    }

    /// Jobs have ended.
    ///
    /// @param statuses of jobs that have ended, others may be among them
    public static ScheduleState ended(ScheduleState state, Map<JobId, String> statuses) {
        var changed = state;
        for (var run : state.runs()) {
            if (run.phase() instanceof Phase.Submitted(var job)) {
                var status = statuses.get(job);
                if (status != null) {
                    changed =
                            changed.change(
                                    run.number(), it -> it.with(new Phase.Ended(job, status)));
                }
            }
        }
        return changed;
    }

    /// Drops runs that could not begin in the time that the policy gives them.
    private static ScheduleState dropLate(
            ScheduleDefinition schedule, ScheduleState state, Instant now) {
        var changed = state;
        for (var run : state.runs()) {
            var isLate = lastStart(schedule, run).filter(now::isAfter).isPresent();
            if (isLate) {
                var why =
                        "it could not begin within "
                                + schedule.policy().startWithin().orElseThrow().toSeconds()
                                + " s"
                                + (run.phase() instanceof Phase.Due due
                                        ? due.error().map(it -> ": " + it).orElse("")
                                        : ", since earlier runs have not ended");
                changed = changed.change(run.number(), it -> it.with(new Phase.Skipped(why, 1)));
            }
        }
        return changed;
    }

    /// Until when a run that the clock brought about may be submitted.
    private static Optional<Instant> lastStart(ScheduleDefinition schedule, ScheduledRun run) {
        var isOfClock = run.kind() == Kind.TICK || run.kind() == Kind.CATCH_UP;
        var mayDrop =
                switch (run.phase()) {
                    case Phase.Queued _ -> true;
                    case Phase.Due due -> !due.isOpen();
                    case Phase.Submitted _, Phase.Ended _, Phase.Skipped _, Phase.Refused _ ->
                            false;
                };
        return isOfClock && mayDrop
                ? schedule.policy().startWithin().map(run.decided()::plus)
                : Optional.empty();
    }

    private static ScheduleState release(
            ScheduleDefinition schedule, ScheduleState state, Instant now) {
        var changed = state;
        for (var run : state.runs()) {
            if (run.phase() instanceof Phase.Queued
                    && (schedule.policy().overlap() == Overlap.ALLOW
                            || blocking(changed).isEmpty())) {
                changed = changed.change(run.number(), it -> it.with(Phase.Due.at(now, List.of())));
            }
        }
        return changed;
    }

    private static Instant limit(ScheduleDefinition schedule, Instant now) {
        return schedule.ends().filter(now::isAfter).orElse(now);
    }

    private static ScheduleState missed(
            ScheduleDefinition schedule, ScheduleState state, Instant now) {
        var policy = schedule.policy();
        var cursor = cursor(schedule, state);
        var border = now.minus(ON_TIME).minus(policy.jitter());
        var until = limit(schedule, border);
        if (schedule.timing().next(cursor).filter(tick -> !tick.isAfter(until)).isEmpty()) {
            return state;
        }
        var window = now.minus(policy.catchUpWindow());
        var begin = window.isAfter(cursor) ? window : cursor;
        var isNewerDue =
                schedule.timing()
                        .next(until)
                        .filter(tick -> !tick.isAfter(limit(schedule, now)))
                        .isPresent();
        var chosen =
                switch (policy.catchUp()) {
                    case NONE -> List.<Instant>of();
                    case LAST ->
                            isNewerDue || !begin.isBefore(until)
                                    ? List.<Instant>of()
                                    : schedule.timing().latest(begin, until, 1);
                    case ALL ->
                            begin.isBefore(until)
                                    ? schedule.timing().latest(begin, until, policy.catchUpLimit())
                                    : List.<Instant>of();
                };
        var dropped = chosen.isEmpty() ? until : chosen.getFirst().minusMillis(1);
        var changed =
                skip(
                        schedule,
                        state,
                        dropped,
                        now,
                        Kind.CATCH_UP,
                        "missed, mostly since the orchestrator was down, and catch_up is "
                                + policy.catchUp()
                                + bounds(policy));
        for (var tick : chosen) {
            changed = admit(schedule, changed, Kind.CATCH_UP, tick, now);
        }
        return changed.withCursor(until);
    }

    private static String bounds(RunPolicy policy) {
        var window = " within " + policy.catchUpWindow().toSeconds() + " s";
        return switch (policy.catchUp()) {
            case NONE -> "";
            case LAST -> window;
            case ALL -> window + ", the latest " + policy.catchUpLimit();
        };
    }

    /// Records the ticks after the cursor until `until` as one run that does not run.
    private static ScheduleState skip(
            ScheduleDefinition schedule,
            ScheduleState state,
            Instant until,
            Instant now,
            Kind kind,
            String why) {
        var cursor = cursor(schedule, state);
        if (!cursor.isBefore(until)) {
            return state;
        }
        var latest = schedule.timing().latest(cursor, until, 1);
        if (latest.isEmpty()) {
            return state;
        }
        var count = schedule.timing().count(cursor, until, MOST_COUNTED);
        return state.with(
                kind, latest.getFirst(), now, Optional.empty(), new Phase.Skipped(why, count));
    }

    private static ScheduleState onTime(
            ScheduleDefinition schedule, ScheduleState state, Instant now) {
        var changed = state;
        var ticks =
                schedule.timing()
                        .between(cursor(schedule, state), limit(schedule, now), MOST_AT_ONCE);
        for (var tick : ticks) {
            if (tick.plus(jitter(schedule, tick)).isAfter(now)) {
                break;
            }
            changed = admit(schedule, changed, Kind.TICK, tick, now).withCursor(tick);
        }
        return changed;
    }

    /// The runs that a new one of the clock meets. Backfills are on their own: they hold nothing back, and nothing holds them.
    private static List<ScheduledRun> blocking(ScheduleState state) {
        return state.active().stream().filter(run -> run.kind() != Kind.BACKFILL).toList();
    }

    private static ScheduleState admit(
            ScheduleDefinition schedule,
            ScheduleState state,
            Kind kind,
            Instant tick,
            Instant now) {
        var before = blocking(state);
        var queued = state.queued();
        var isFree = before.isEmpty() && queued == 0;
        return switch (schedule.policy().overlap()) {
            case ALLOW ->
                    pending(state) < RunPolicy.MOST_RUNS
                            ? due(state, kind, tick, now, List.of())
                            : skipped(
                                    state,
                                    kind,
                                    tick,
                                    now,
                                    "there are " + RunPolicy.MOST_RUNS + " runs that wait");
            case SKIP ->
                    isFree
                            ? due(state, kind, tick, now, List.of())
                            : skipped(state, kind, tick, now, overlap(before) + " (overlap skip)");
            case QUEUE -> {
                if (isFree) {
                    yield due(state, kind, tick, now, List.of());
                }
                yield queued < schedule.policy().queueLimit()
                        ? state.with(kind, tick, now, Optional.empty(), new Phase.Queued())
                        : skipped(
                                state,
                                kind,
                                tick,
                                now,
                                "there are "
                                        + queued
                                        + " runs that wait, which is the most (queue_limit)");
            }
            case CANCEL_OLD -> replaceAll(state, before, kind, tick, now);
        };
    }

    private static long pending(ScheduleState state) {
        return state.runs().stream().filter(ScheduledRun::isPending).count();
    }

    private static String overlap(List<ScheduledRun> before) {
        return before.isEmpty()
                ? "earlier runs wait"
                : switch (before.getFirst().phase()) {
                    case Phase.Submitted(var job) ->
                            "job " + job + " of the tick " + tick(before) + " has not ended";
                    case Phase.Due due when due.error().isPresent() ->
                            "the run of the tick "
                                    + tick(before)
                                    + " is still being submitted: "
                                    + due.error().get();
                    default -> "the run of the tick " + tick(before) + " is still being submitted";
                };
    }

    /// As people read it.
    private static Instant tick(List<ScheduledRun> before) {
        return before.getFirst().tick().truncatedTo(ChronoUnit.SECONDS);
    }

    private static ScheduleState due(
            ScheduleState state, Kind kind, Instant tick, Instant now, List<JobId> cancels) {
        return state.with(kind, tick, now, Optional.empty(), Phase.Due.at(now, cancels));
    }

    private static ScheduleState skipped(
            ScheduleState state, Kind kind, Instant tick, Instant now, String why) {
        return state.with(kind, tick, now, Optional.empty(), new Phase.Skipped(why, 1));
    }

    /// A run whose submission may have arrived stays, and its job is cancelled by the next tick.
    private static ScheduleState replaceAll(
            ScheduleState state, List<ScheduledRun> before, Kind kind, Instant tick, Instant now) {
        var cancels = new ArrayList<JobId>();
        var changed = state;
        for (var run : before) {
            switch (run.phase()) {
                case Phase.Submitted(var job) -> cancels.add(job);
                case Phase.Due due -> {
                    if (!due.isOpen()) {
                        cancels.addAll(due.cancels());
                        changed =
                                changed.change(
                                        run.number(),
                                        it ->
                                                it.with(
                                                        new Phase.Skipped(
                                                                "the tick "
                                                                        + tick
                                                                        + " replaced it (overlap"
                                                                        + " cancel_old)",
                                                                1)));
                    }
                }
                case Phase.Queued _, Phase.Ended _, Phase.Skipped _, Phase.Refused _ -> {}
            }
        }
        return due(changed, kind, tick, now, cancels);
    }

    private static ScheduleState backfill(
            ScheduleDefinition schedule, ScheduleState state, Instant now) {
        if (state.backfills().isEmpty()) {
            return state;
        }
        var first = state.backfills().getFirst();
        var open =
                state.active().stream()
                        .filter(run -> run.kind() == Kind.BACKFILL)
                        .filter(run -> !first.isTogether() || run.isPending())
                        .count();
        var room = (first.isTogether() ? TOGETHER : 1) - open;
        if (room <= 0) {
            return state;
        }
        var ticks = schedule.timing().between(first.from(), first.until(), (int) room);
        var changed = state;
        for (var tick : ticks) {
            changed =
                    changed.with(
                            Kind.BACKFILL,
                            tick,
                            now,
                            Optional.of(first.by()),
                            Phase.Due.at(now, List.of()));
        }
        var left = new ArrayList<>(state.backfills());
        if (ticks.size() < room) {
            left.removeFirst();
        } else {
            left.set(0, first.after(ticks.getLast()));
        }
        return changed.withBackfills(left);
    }

    /// Whether the end of a job may bring something about.
    public static boolean isWaitingForEnds(ScheduleState state) {
        return state.paused().isEmpty() && (state.queued() > 0 || !state.backfills().isEmpty());
    }
}
