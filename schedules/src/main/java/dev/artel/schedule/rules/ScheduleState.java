package dev.artel.schedule.rules;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/// What has become of a schedule.
///
/// @param schedule the id of its schedule; a state of another one is none
/// @param cursor all ticks until here are decided
/// @param runs those that are pending, and the last others, oldest first
/// @param last the number of the newest run
public record ScheduleState(
        String schedule,
        Instant cursor,
        Optional<Pause> paused,
        List<ScheduledRun> runs,
        List<ScheduleBackfill> backfills,
        long last) {
    /// So many runs are kept that are not pending.
    public static final int MOST_KEPT = 100;

    /// So many of the newest runs stay, whatever runs: what became of the last ticks is shown.
    private static final int NEWEST = 20;

    /// Copies the lists.
    public ScheduleState {
        runs = List.copyOf(runs);
        backfills = List.copyOf(backfills);
    }

    /// Why nothing runs.
    public record Pause(String by, Instant at, Optional<String> reason) {}

    /// Of a schedule of which nothing has run.
    public static ScheduleState initial(ScheduleDefinition schedule) {
        return new ScheduleState(
                schedule.id(), schedule.timingSince(), Optional.empty(), List.of(), List.of(), 0);
    }

    ScheduleState withCursor(Instant other) {
        return new ScheduleState(schedule, other, paused, runs, backfills, last);
    }

    ScheduleState withPause(Optional<Pause> other) {
        return new ScheduleState(schedule, cursor, other, runs, backfills, last);
    }

    ScheduleState withBackfills(List<ScheduleBackfill> others) {
        return new ScheduleState(schedule, cursor, paused, runs, others, last);
    }

    /// This state with one more run; runs that are not pending make room, those whose jobs have not ended last.
    ScheduleState with(
            ScheduledRun.Kind kind,
            Instant tick,
            Instant now,
            Optional<String> by,
            ScheduledRun.Phase phase) {
        var more = new ArrayList<>(runs);
        more.add(new ScheduledRun(last + 1, kind, tick, now, by, Optional.empty(), phase));
        makeRoom(more, run -> !run.isActive() && run.number() <= last + 1 - NEWEST);
        makeRoom(more, run -> run.kind() == ScheduledRun.Kind.BACKFILL);
        makeRoom(more, run -> run.kind() == ScheduledRun.Kind.MANUAL);
        makeRoom(more, _ -> true);
        return new ScheduleState(schedule, cursor, paused, more, backfills, last + 1);
    }

    /// Drops the oldest of those that may go. The next ticks depend on a run whose job has not ended, so what has no job goes first.
    private static void makeRoom(List<ScheduledRun> runs, Predicate<ScheduledRun> mayGo) {
        var surplus = runs.stream().filter(run -> !run.isPending()).count() - MOST_KEPT;
        for (var i = 0; surplus > 0 && i < runs.size(); ) {
            if (!runs.get(i).isPending() && mayGo.test(runs.get(i))) {
                runs.remove(i);
                surplus--;
            } else {
                i++;
            }
        }
    }

    /// This state with the run `number` changed.
    ScheduleState change(long number, UnaryOperator<ScheduledRun> change) {
        return new ScheduleState(
                schedule,
                cursor,
                paused,
                runs.stream().map(run -> run.number() == number ? change.apply(run) : run).toList(),
                backfills,
                last);
    }

    /// The run that a person asked for under `request`, if it is kept.
    public Optional<ScheduledRun> requested(String request) {
        return runs.stream()
                .filter(run -> run.request().filter(request::equals).isPresent())
                .findFirst();
    }

    /// The run `number`, if it is kept.
    public Optional<ScheduledRun> run(long number) {
        return runs.stream().filter(run -> run.number() == number).findFirst();
    }

    /// The runs whose jobs are to be submitted by `now`, oldest first.
    public List<ScheduledRun> due(Instant now) {
        return runs.stream()
                .filter(run ->
                        run.phase() instanceof ScheduledRun.Phase.Due due
                                && !due.notBefore().isAfter(now)
                                && (paused.isEmpty() || run.kind() == ScheduledRun.Kind.MANUAL))
                .toList();
    }

    long queued() {
        return runs.stream()
                .filter(run -> run.phase() instanceof ScheduledRun.Phase.Queued)
                .count();
    }

    List<ScheduledRun> active() {
        return runs.stream().filter(ScheduledRun::isActive).toList();
    }
}
