package dev.artel.schedule.rules;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

    /// This state with one more run; runs that are not pending make room.
    ScheduleState with(
            ScheduledRun.Kind kind,
            Instant tick,
            Instant now,
            Optional<String> by,
            ScheduledRun.Phase phase) {
        var more = new ArrayList<>(runs);
        more.add(new ScheduledRun(last + 1, kind, tick, now, by, Optional.empty(), phase));
        var surplus = more.stream().filter(run -> !run.isPending()).count() - MOST_KEPT;
        for (var i = 0; surplus > 0 && i < more.size(); ) {
            if (more.get(i).isPending()) {
                i++;
            } else {
                more.remove(i);
                surplus--;
            }
        }
        return new ScheduleState(schedule, cursor, paused, more, backfills, last + 1);
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
