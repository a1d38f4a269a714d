package dev.artel.schedule.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.JobId;
import dev.artel.schedule.rules.RunPolicy.CatchUp;
import dev.artel.schedule.rules.RunPolicy.Overlap;
import dev.artel.schedule.rules.ScheduledRun.Kind;
import dev.artel.schedule.rules.ScheduledRun.Phase;
import dev.artel.schedule.timing.CronExpression;
import dev.artel.schedule.timing.Timing;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ScheduleRulesTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final RunPolicy POLICY = RunPolicy.DEFAULTS;

    /// Every minute.
    private static ScheduleDefinition schedule(RunPolicy policy) {
        return schedule(policy, Optional.empty(), Optional.empty());
    }

    private static ScheduleDefinition schedule(
            RunPolicy policy, Optional<Instant> starts, Optional<Instant> ends) {
        return schedule(policy, starts, ends, JsonObject.EMPTY);
    }

    private static ScheduleDefinition schedule(
            RunPolicy policy, Optional<Instant> starts, Optional<Instant> ends, JsonObject input) {
        return new ScheduleDefinition(
                "nightly",
                "id-1",
                1,
                ScheduleDefinition.Origin.API,
                JobTemplate.of("report", "acme", input),
                new Timing.Interval(Duration.ofMinutes(1), START),
                policy,
                starts,
                ends,
                "ada",
                START,
                START);
    }

    /// Trap: a browser takes these out of addresses.
    @Test
    void dotsAlone_areNoName() {
        ScheduleDefinition.checkName("a..b");
        for (var name : List.of(".", "..", "", "a/b")) {
            assertThatThrownBy(() -> ScheduleDefinition.checkName(name))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("more than one or two dots, was '" + name + "'");
        }
    }

    private static Instant minute(int minutes) {
        return START.plus(Duration.ofMinutes(minutes));
    }

    /// The state in which each job that is due has been submitted.
    private static ScheduleState submitted(ScheduleState state, Instant now) {
        var after = state;
        for (var run : state.due(now)) {
            after = ScheduleRules.submitted(after, run.number(), job(run));
        }
        return after;
    }

    private static JobId job(ScheduledRun run) {
        return new JobId("job-" + run.number());
    }

    private static List<String> phases(ScheduleState state) {
        return state.runs().stream().map(run -> run.phase().getClass().getSimpleName()).toList();
    }

    private static List<Instant> ticks(ScheduleState state, Class<? extends Phase> phase) {
        return state.runs().stream()
                .filter(run -> phase.isInstance(run.phase()))
                .map(ScheduledRun::tick)
                .toList();
    }

    private static ScheduleState secondTick(RunPolicy policy) {
        var schedule = schedule(policy);
        var first =
                submitted(
                        ScheduleRules.advance(schedule, ScheduleState.initial(schedule), minute(1)),
                        minute(1));
        return ScheduleRules.advance(schedule, first, minute(2));
    }

    @Test
    void aTick_isDecidedOnce() {
        var schedule = schedule(POLICY);
        var state = ScheduleRules.advance(schedule, ScheduleState.initial(schedule), minute(1));

        assertThat(state.due(minute(1)))
                .singleElement()
                .satisfies(run -> {
                    assertThat(run.tick()).isEqualTo(minute(1));
                    assertThat(run.kind()).isEqualTo(Kind.TICK);
                    assertThat(run.key("id-1")).isEqualTo("schedule/id-1/2026-01-01T00:01:00Z");
                });
        assertThat(ScheduleRules.advance(schedule, state, minute(1).plusSeconds(59)))
                .isEqualTo(state);
    }

    @Test
    void withSkip_aTickThatMeetsAJob_isRecordedWithTheReason() {
        var state = secondTick(POLICY);

        assertThat(phases(state)).containsExactly("Submitted", "Skipped");
        assertThat(((Phase.Skipped) state.runs().getLast().phase()).reason())
                .isEqualTo(
                        "job job-1 of the tick 2026-01-01T00:01:00Z has not ended (overlap skip)");
    }

    @Test
    void withSkip_aTickAfterTheEndOfTheJob_runs() {
        var ended = ScheduleRules.ended(secondTick(POLICY), Map.of(new JobId("job-1"), "finished"));

        var state = ScheduleRules.advance(schedule(POLICY), ended, minute(3));

        assertThat(phases(state)).containsExactly("Ended", "Skipped", "Due");
    }

    @Test
    void withQueue_aTickWaits_andRunsAfterTheEnd() {
        var policy = POLICY.withOverlap(Overlap.QUEUE);
        var state = secondTick(policy);
        assertThat(phases(state)).containsExactly("Submitted", "Queued");
        assertThat(ScheduleRules.isWaitingForEnds(state)).isTrue();

        var after =
                ScheduleRules.advance(
                        schedule(policy),
                        ScheduleRules.ended(state, Map.of(new JobId("job-1"), "failed")),
                        minute(2).plusSeconds(5));

        assertThat(phases(after)).containsExactly("Ended", "Due");
    }

    @Test
    void withQueue_oneTickRunsAfterTheOther_andWhatDoesNotFitIsDropped() {
        var policy = POLICY.withOverlap(Overlap.QUEUE);
        var schedule = schedule(policy);
        var state = secondTick(policy);
        for (var i = 3; i <= 13; i++) {
            state = ScheduleRules.advance(schedule, state, minute(i));
        }

        assertThat(ticks(state, Phase.Queued.class)).hasSize(10);
        assertThat(ticks(state, Phase.Skipped.class)).containsExactly(minute(12), minute(13));
    }

    @ParameterizedTest
    @EnumSource(
            value = Overlap.class,
            names = {"SKIP", "QUEUE"})
    void aJobThatOutlastsTheHistory_holdsTheTicksBackUntilItEnds(Overlap overlap) {
        var policy = POLICY.withOverlap(overlap);
        var schedule = schedule(policy);
        var state = secondTick(policy);
        for (var i = 3; i <= 150; i++) {
            state = submitted(ScheduleRules.advance(schedule, state, minute(i)), minute(i));
        }

        assertThat(ticks(state, Phase.Submitted.class)).containsExactly(minute(1));
        assertThat(ticks(state, Phase.Queued.class)).hasSize(overlap == Overlap.QUEUE ? 10 : 0);
        assertThat(ticks(state, Phase.Skipped.class))
                .hasSize(ScheduleState.MOST_KEPT - 1)
                .endsWith(minute(150));

        var after =
                ScheduleRules.advance(
                        schedule,
                        ScheduleRules.ended(state, Map.of(new JobId("job-1"), "finished")),
                        minute(151));

        assertThat(after.due(minute(151))).hasSize(1);
    }

    @Test
    void withAllow_theHistoryIsBounded_andTheLastTicksAreInIt() {
        var policy = POLICY.withOverlap(Overlap.ALLOW);
        var schedule = schedule(policy);
        var state = ScheduleState.initial(schedule);
        for (var i = 1; i <= 150; i++) {
            state = submitted(ScheduleRules.advance(schedule, state, minute(i)), minute(i));
        }
        state = ScheduleRules.advance(schedule, state, minute(151));
        state =
                ScheduleRules.refused(
                        schedule, state, 151, "no such blueprint", true, false, minute(151));
        state = submitted(ScheduleRules.advance(schedule, state, minute(152)), minute(152));

        assertThat(state.runs()).hasSize(ScheduleState.MOST_KEPT + 1);
        assertThat(ticks(state, Phase.Refused.class)).containsExactly(minute(151));
        assertThat(state.runs().getLast().tick()).isEqualTo(minute(152));
    }

    @Test
    void aBackfillOfManyJobs_doesNotHideTheJobOfATick() {
        var schedule = schedule(POLICY);
        var state = secondTick(POLICY);
        state = ScheduleRules.backfill(schedule, state, START, minute(2), true, "ada", minute(200));
        state =
                ScheduleRules.backfill(
                        schedule, state, START, minute(199), true, "ada", minute(200));
        for (var i = 0; i < 10; i++) {
            state = submitted(ScheduleRules.advance(schedule, state, minute(200)), minute(200));
        }

        assertThat(state.backfills()).isEmpty();
        assertThat(ticks(state, Phase.Submitted.class)).contains(minute(1));
    }

    @Test
    void onlySoManyRunsThatPersonsAskedFor_wait() {
        var schedule = schedule(POLICY);
        var state = ScheduleState.initial(schedule);
        for (var i = 0; i < ScheduleRules.MOST_MANUAL; i++) {
            state = ScheduleRules.runNow(state, "ada", Optional.of("k-" + i), START);
        }
        var full = state;

        assertThatThrownBy(() -> ScheduleRules.runNow(full, "ada", Optional.of("k"), START))
                .isInstanceOf(TooManyRuns.class)
                .hasMessageContaining("20 runs that persons asked for wait");
        assertThat(ScheduleRules.runNow(full, "ada", Optional.of("k-3"), START)).isEqualTo(full);
        assertThat(
                        ScheduleRules.runNow(submitted(full, START), "ada", Optional.of("k"), START)
                                .due(START))
                .hasSize(1);
    }

    @Test
    void withCancelOld_theTickNamesTheJobsToCancel() {
        var state = secondTick(POLICY.withOverlap(Overlap.CANCEL_OLD));

        assertThat(phases(state)).containsExactly("Submitted", "Due");
        assertThat(((Phase.Due) state.runs().getLast().phase()).cancels())
                .containsExactly(new JobId("job-1"));
    }

    @Test
    void withCancelOld_aRunThatIsNotSubmittedYet_isReplaced_butNotOneWhoseOutcomeIsUnknown() {
        var policy = POLICY.withOverlap(Overlap.CANCEL_OLD);
        var schedule = schedule(policy);
        var due = ScheduleRules.advance(schedule, ScheduleState.initial(schedule), minute(1));

        var refused = ScheduleRules.refused(schedule, due, 1, "no quota", false, false, minute(1));
        var unknown = ScheduleRules.refused(schedule, due, 1, "no answer", false, true, minute(1));

        assertThat(phases(ScheduleRules.advance(schedule, refused, minute(2))))
                .containsExactly("Skipped", "Due");
        assertThat(phases(ScheduleRules.advance(schedule, unknown, minute(2))))
                .containsExactly("Due", "Due");
    }

    @Test
    void withAllow_ticksRunBesideEachOther() {
        assertThat(phases(secondTick(POLICY.withOverlap(Overlap.ALLOW))))
                .containsExactly("Submitted", "Due");
    }

    @ParameterizedTest
    @EnumSource(CatchUp.class)
    void afterAnOutage_missedTicksRunByThePolicy(CatchUp catchUp) {
        var schedule = schedule(POLICY.withOverlap(Overlap.ALLOW).withCatchUp(catchUp));

        var state = ScheduleRules.advance(schedule, ScheduleState.initial(schedule), minute(10));

        // 9 and 10 are not late enough to be missed.
        switch (catchUp) {
            case NONE, LAST -> {
                assertThat(ticks(state, Phase.Due.class)).containsExactly(minute(10));
                assertThat(state.runs().getFirst().phase())
                        .isInstanceOfSatisfying(
                                Phase.Skipped.class,
                                skipped -> assertThat(skipped.ticks()).isEqualTo(9));
            }
            case ALL -> {
                assertThat(ticks(state, Phase.Due.class))
                        .containsExactlyElementsOf(
                                IntStream.rangeClosed(1, 10)
                                        .mapToObj(ScheduleRulesTest::minute)
                                        .toList());
                assertThat(ticks(state, Phase.Skipped.class)).isEmpty();
            }
        }
        assertThat(state.cursor()).isEqualTo(minute(10));
    }

    @Test
    void theLastMissedTick_runsWhereNoNewerOneIsDue() {
        var schedule = schedule(POLICY, Optional.empty(), Optional.of(minute(5)));

        var state = ScheduleRules.advance(schedule, ScheduleState.initial(schedule), minute(20));

        assertThat(ticks(state, Phase.Due.class)).containsExactly(minute(5));
        assertThat(state.runs().getLast().kind()).isEqualTo(Kind.CATCH_UP);
        assertThat(ticks(state, Phase.Skipped.class)).containsExactly(minute(4));
    }

    @Test
    void missedTicksOutOfTheWindow_andTooManyOfThem_areDropped() {
        var policy =
                new RunPolicy(
                        Overlap.ALLOW,
                        10,
                        CatchUp.ALL,
                        3,
                        Duration.ofMinutes(30),
                        Duration.ZERO,
                        10,
                        Optional.empty());
        var schedule = schedule(policy, Optional.empty(), Optional.of(minute(100)));

        assertThat(
                        ticks(
                                ScheduleRules.advance(
                                        schedule, ScheduleState.initial(schedule), minute(120)),
                                Phase.Due.class))
                .containsExactly(minute(98), minute(99), minute(100));
        assertThat(
                        ticks(
                                ScheduleRules.advance(
                                        schedule, ScheduleState.initial(schedule), minute(129)),
                                Phase.Due.class))
                .containsExactly(minute(100));
        assertThat(
                        phases(
                                ScheduleRules.advance(
                                        schedule, ScheduleState.initial(schedule), minute(200))))
                .containsExactly("Skipped");
    }

    @Test
    void aPause_holdsTicks_andResumingRecordsThemWithTheReason() {
        var schedule = schedule(POLICY);
        var paused =
                ScheduleRules.pause(
                        ScheduleState.initial(schedule),
                        "ada",
                        Optional.of("the disk is full"),
                        START);
        assertThat(ScheduleRules.advance(schedule, paused, minute(5))).isEqualTo(paused);
        assertThat(ScheduleRules.wake(schedule, paused)).isEmpty();

        var resumed = ScheduleRules.resume(schedule, paused, minute(5).plusSeconds(1));

        assertThat(resumed.runs())
                .singleElement()
                .satisfies(run ->
                        assertThat(run.phase())
                                .isEqualTo(
                                        new Phase.Skipped(
                                                "the schedule was paused by ada: the disk is full",
                                                5)));
        assertThat(ScheduleRules.nextTick(schedule, resumed)).contains(minute(6));
        assertThat(ScheduleRules.advance(schedule, resumed, minute(5).plusSeconds(2)))
                .isEqualTo(resumed);
    }

    @Test
    void aManualRun_alsoRunsWhilePaused_underAKeyOfItsOwn() {
        var paused =
                ScheduleRules.pause(
                        ScheduleState.initial(schedule(POLICY)), "ada", Optional.empty(), START);

        var one = ScheduleRules.runNow(paused, "ada", Optional.of("a"), START);
        var same = ScheduleRules.runNow(one, "ada", Optional.of("a"), START);
        var state = ScheduleRules.runNow(same, "ada", Optional.empty(), START);

        assertThat(state.due(START).stream().map(run -> run.key("id-1")))
                .containsExactly("schedule/id-1/run/1", "schedule/id-1/run/2");
    }

    @Test
    void aStart_andAnEnd_boundTheTicks() {
        var schedule =
                schedule(
                        POLICY.withOverlap(Overlap.ALLOW),
                        Optional.of(minute(3)),
                        Optional.of(minute(4)));
        var state = ScheduleState.initial(schedule);
        assertThat(ScheduleRules.upcoming(schedule, state, START, 5))
                .containsExactly(minute(3), minute(4));
        for (var i = 1; i < 10; i++) {
            state = ScheduleRules.advance(schedule, state, minute(i));
        }

        assertThat(ticks(state, Phase.Due.class)).containsExactly(minute(3), minute(4));
        assertThat(ScheduleRules.nextTick(schedule, state)).isEmpty();
        assertThat(ScheduleExplanation.of(schedule, state, Optional.empty(), _ -> true, minute(10)))
                .startsWith("Nothing runs any more: it ended at 2026-01-01T00:04:00Z.");
    }

    @Test
    void jitter_isTheSameForATickEachTime_andDelaysIt() {
        var schedule = schedule(POLICY.withJitter(Duration.ofSeconds(30)));
        var jitter = ScheduleRules.jitter(schedule, minute(1));
        assertThat(jitter).isBetween(Duration.ZERO, Duration.ofSeconds(30));
        assertThat(ScheduleRules.jitter(schedule, minute(1))).isEqualTo(jitter);
        assertThat(
                        IntStream.range(0, 20)
                                .mapToObj(i -> ScheduleRules.jitter(schedule, minute(i)))
                                .distinct()
                                .count())
                .isGreaterThan(10);
        var state = ScheduleState.initial(schedule);
        var due = minute(1).plus(jitter);

        assertThat(ScheduleRules.wake(schedule, state)).contains(due);
        assertThat(ScheduleRules.advance(schedule, state, due.minusMillis(1))).isEqualTo(state);
        assertThat(ticks(ScheduleRules.advance(schedule, state, due), Phase.Due.class))
                .containsExactly(minute(1));
    }

    @Test
    void aRefusedSubmission_isTriedAgainLaterAndLater_andGivenUpAtLast() {
        var schedule = schedule(POLICY);
        var state = ScheduleRules.advance(schedule, ScheduleState.initial(schedule), minute(1));
        var now = minute(1);
        for (var attempt = 1; attempt < 10; attempt++) {
            state =
                    ScheduleRules.refused(
                            schedule, state, 1, "no blueprint 'report'", false, false, now);
            var due = (Phase.Due) state.runs().getFirst().phase();
            assertThat(Duration.between(now, due.notBefore()))
                    .isEqualTo(Duration.ofSeconds(Math.min(1L << (attempt - 1), 300)));
            assertThat(state.due(now)).isEmpty();
            now = due.notBefore();
        }
        assertThat(ScheduleExplanation.of(schedule, state, Optional.empty(), _ -> true, now))
                .startsWith("The submission for 2026-01-01T00:01:00Z was refused 9 times")
                .endsWith(": no blueprint 'report'.");

        state = ScheduleRules.refused(schedule, state, 1, "no blueprint", false, false, now);

        assertThat(state.runs().getFirst().phase())
                .isEqualTo(new Phase.Refused("no blueprint", 10));
        assertThat(ScheduleExplanation.of(schedule, state, Optional.empty(), _ -> true, now))
                .contains("was refused 10 times and given up: no blueprint");
    }

    /// Trap: the run that is shown learns of the end of its job at the next tick only, and times of the clock have nanoseconds.
    @Test
    void theExplanation_namesTheJobOfTheLastRun_onlyWhileItGoesOn_andTimesInSeconds() {
        var schedule = schedule(POLICY);
        var now = minute(1).plusNanos(123_456_789);
        var state =
                submitted(
                        ScheduleRules.advance(schedule, ScheduleState.initial(schedule), now), now);

        assertThat(ScheduleExplanation.of(schedule, state, Optional.empty(), _ -> false, now))
                .isEqualTo(
                        "The next run is at 2026-01-01T00:02:00Z. Job job-1 of 2026-01-01T00:01:00Z has not"
                                + " ended.");
        assertThat(ScheduleExplanation.of(schedule, state, Optional.empty(), _ -> true, now))
                .isEqualTo("The next run is at 2026-01-01T00:02:00Z.");

        var paused = ScheduleRules.pause(state, "Ada", Optional.empty(), now);
        assertThat(ScheduleExplanation.of(schedule, paused, Optional.empty(), _ -> true, now))
                .isEqualTo("Nothing runs: Ada paused it at 2026-01-01T00:01:00Z.");
    }

    @Test
    void inputThatCannotBeRight_isGivenUpAtOnce_andWhatMayHaveArrivedNever() {
        var schedule = schedule(POLICY);
        var state = ScheduleRules.advance(schedule, ScheduleState.initial(schedule), minute(1));

        assertThat(phases(ScheduleRules.refused(schedule, state, 1, "x", true, false, START)))
                .containsExactly("Refused");
        var unknown = state;
        for (var i = 0; i < 50; i++) {
            unknown = ScheduleRules.refused(schedule, unknown, 1, "busy", false, true, START);
        }
        assertThat(phases(unknown)).containsExactly("Due");
    }

    @Test
    void aRunThatCannotBeginInTime_isDropped() {
        var policy =
                new RunPolicy(
                        Overlap.QUEUE,
                        10,
                        CatchUp.NONE,
                        1,
                        Duration.ofDays(1),
                        Duration.ZERO,
                        10,
                        Optional.of(Duration.ofSeconds(20)));
        var state = secondTick(policy);

        var after = ScheduleRules.advance(schedule(policy), state, minute(2).plusSeconds(21));

        assertThat(after.runs().getLast().phase())
                .isEqualTo(
                        new Phase.Skipped(
                                "it could not begin within 20 s, since earlier runs have not ended",
                                1));
    }

    @Test
    void aBackfill_runsItsTicksOneAfterTheOther_besideTheClock() {
        var schedule = schedule(POLICY);
        var state =
                ScheduleRules.backfill(
                        schedule,
                        ScheduleState.initial(schedule),
                        START,
                        minute(2),
                        false,
                        "ada",
                        minute(3));
        var now = minute(3);
        for (var i = 0; i < 3; i++) {
            state = submitted(ScheduleRules.advance(schedule, state, now), now);
            assertThat(backfilled(state)).hasSize(i + 1);
            state =
                    ScheduleRules.ended(
                            state, Map.of(job(backfilled(state).getLast()), "finished"));
        }
        state = ScheduleRules.advance(schedule, state, now);

        assertThat(backfilled(state).stream().map(ScheduledRun::tick))
                .containsExactly(START, minute(1), minute(2));
        assertThat(state.backfills()).isEmpty();
    }

    private static List<ScheduledRun> backfilled(ScheduleState state) {
        return state.runs().stream().filter(run -> run.kind() == Kind.BACKFILL).toList();
    }

    @Test
    void aBackfillTogether_runsAFewDozenAtOnce() {
        var schedule = schedule(POLICY);
        var now = minute(1000);
        var state =
                ScheduleRules.backfill(
                        schedule,
                        ScheduleState.initial(schedule),
                        START,
                        minute(119),
                        true,
                        "ada",
                        now);
        var jobs = 0L;
        while (!state.backfills().isEmpty()) {
            state = ScheduleRules.advance(schedule, state, now);
            jobs += state.due(now).stream().filter(it -> it.kind() == Kind.BACKFILL).count();
            state = submitted(state, now);
        }

        assertThat(jobs).isEqualTo(120);
    }

    /// Trap: a request of a hundred bytes makes a thousand jobs of 60 KB of small values, two gigabytes of them.
    @Test
    void aBackfillWhoseInputsTakeTooMuchMemory_isRefused_andAShorterOneIsNot() {
        var text = "x".repeat(60_000);
        var schedule =
                schedule(
                        POLICY,
                        Optional.empty(),
                        Optional.empty(),
                        JsonObject.of("text", JsonValue.of(text)));
        var state = ScheduleState.initial(schedule);

        assertThatThrownBy(() -> backfill(schedule, state, 999))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("those of the 1000 ticks of a backfill at most 33554432")
                .hasMessageContaining("ask for a shorter time of at most 557 ticks");
        assertThat(backfill(schedule, state, 556).backfills()).hasSize(1);
    }

    private static ScheduleState backfill(
            ScheduleDefinition schedule, ScheduleState state, int until) {
        return ScheduleRules.backfill(
                schedule, state, START, minute(until), true, "ada", minute(1_000));
    }

    @Test
    void aBackfillOfNothing_ofTooMuch_orOfTheFuture_isRefused() {
        var schedule = schedule(POLICY);
        var state = ScheduleState.initial(schedule);

        assertThatThrownBy(() ->
                        ScheduleRules.backfill(
                                schedule, state, START, minute(9), false, "ada", minute(8)))
                .hasMessageContaining("until must not be in the future");
        assertThatThrownBy(() ->
                        ScheduleRules.backfill(
                                schedule,
                                state,
                                START.plusSeconds(1),
                                START.plusSeconds(2),
                                false,
                                "ada",
                                minute(8)))
                .hasMessageContaining("there is no tick");
        assertThatThrownBy(() ->
                        ScheduleRules.backfill(
                                schedule, state, START, minute(1000), false, "ada", minute(9999)))
                .hasMessageContaining("at most 1000 ticks");
    }

    @Test
    void newTiming_hasNoTicksOfThePast_andTheSameTimingKeepsThem() {
        var before = schedule(POLICY);
        var other =
                new ScheduleDefinition(
                        "nightly",
                        "id-2",
                        1,
                        ScheduleDefinition.Origin.API,
                        before.job(),
                        new Timing.Interval(Duration.ofSeconds(10), START),
                        POLICY,
                        Optional.empty(),
                        Optional.empty(),
                        "bob",
                        minute(5),
                        minute(5));

        var changed = other.replacing(before);

        assertThat(changed.id()).isEqualTo("id-1");
        assertThat(changed.revision()).isEqualTo(2);
        assertThat(ScheduleRules.nextTick(changed, ScheduleState.initial(before)))
                .contains(minute(5).plusSeconds(10));
        assertThat(before.replacing(before).isLike(before)).isTrue();
    }

    @Test
    void endedRuns_makeRoom_andThoseThatArePending_stay() {
        var schedule = schedule(POLICY.withOverlap(Overlap.ALLOW));
        var state = ScheduleState.initial(schedule);
        for (var i = 1; i <= 300; i++) {
            state = ScheduleRules.advance(schedule, state, minute(i));
            if (i > 10) {
                state = submitted(state, minute(i));
            }
        }

        assertThat(state.runs()).hasSizeBetween(100, 110);
        assertThat(state.last()).isEqualTo(300);
    }

    @Test
    void theInput_mayHaveTheTick_andItsDateInTheZone() {
        var schedule =
                new ScheduleDefinition(
                        "nightly",
                        "id-1",
                        1,
                        ScheduleDefinition.Origin.API,
                        JobTemplate.of(
                                "report",
                                "acme",
                                JsonObject.builder()
                                        .put("date", "${tick.date}")
                                        .put("all", JsonArray.ofStrings(List.of("at ${tick}", "x")))
                                        .put("n", 7)
                                        .build()),
                        new Timing.Cron(
                                CronExpression.parse("30 0 * * *"), ZoneId.of("Europe/Berlin")),
                        POLICY,
                        Optional.empty(),
                        Optional.empty(),
                        "ada",
                        START,
                        START);

        assertThat(TickInput.of(schedule, Instant.parse("2026-06-30T22:30:00Z")))
                .hasToString(
                        "{\"date\":\"2026-07-01\",\"all\":[\"at 2026-06-30T22:30:00Z\",\"x\"],\"n\":7}");
    }

    @Test
    void aTickThatIsNotDecided_isDue_andNothingWaitsBeforeIt() {
        var schedule = schedule(POLICY);
        var state = ScheduleState.initial(schedule);

        assertThat(ScheduleRules.dueSince(schedule, state, minute(1).minusMillis(1))).isEmpty();
        assertThat(ScheduleRules.dueSince(schedule, state, minute(3))).contains(minute(1));
        var paused = ScheduleRules.pause(state, "ada", Optional.empty(), minute(1));
        assertThat(ScheduleRules.dueSince(schedule, paused, minute(3))).isEmpty();
    }

    @Test
    void aRunWhoseSubmissionIsRefused_isDueSinceItsFirstAttempt() {
        var schedule = schedule(POLICY);
        var state = ScheduleRules.advance(schedule, ScheduleState.initial(schedule), minute(1));
        var now = minute(1);
        for (var attempt = 0; attempt < 9; attempt++) {
            state = ScheduleRules.refused(schedule, state, 1, "no", false, false, now);
            now = ((Phase.Due) state.runs().getFirst().phase()).notBefore();
        }

        assertThat(ScheduleRules.dueSince(schedule, state, now)).contains(minute(1));
        state = ScheduleRules.refused(schedule, state, 1, "no", true, false, now);
        var decided = state.withCursor(now);
        assertThat(ScheduleRules.dueSince(schedule, decided, now)).isEmpty();
    }

    @Test
    void aRunThatWaitsForAnEarlierJob_isNotDue_beforeThatHasEnded() {
        var policy = POLICY.withOverlap(Overlap.QUEUE);
        var state = secondTick(policy);

        assertThat(phases(state)).containsExactly("Submitted", "Queued");
        assertThat(ScheduleRules.dueSince(schedule(policy), state, minute(2).plusSeconds(30)))
                .isEmpty();
        var ended = ScheduleRules.ended(state, Map.of(job(state.runs().getFirst()), "finished"));
        var later = minute(2).plusSeconds(40);
        var released = ScheduleRules.advance(schedule(policy), ended, later);
        assertThat(ScheduleRules.dueSince(schedule(policy), released, later)).contains(later);
    }
}
