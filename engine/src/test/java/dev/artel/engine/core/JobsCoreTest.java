package dev.artel.engine.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.SampleJobs;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.blueprint.State;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.placement.Placement;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

final class JobsCoreTest {
    private static final EffectId FIRST_STEP = new EffectId(2, 0);

    private final JobsCore core = new JobsCore(100_000);
    private final List<JobsOutput> outputs = new ArrayList<>();
    private List<JobEvent> submitted = List.of();

    @Test
    void nothingIsReportedBeforeItIsDurable() {
        put(Samples.submit("j", 7));

        assertThat(outputs).singleElement().isInstanceOf(JobsOutput.Write.class);

        outputs.clear();
        put(new JobsInput.Committed(Samples.job("j")));

        // Who is answered and reads the job sees what was answered.
        assertThat(outputs.get(0)).isInstanceOf(JobsOutput.Current.class);
        assertThat(outputs.get(1)).isEqualTo(new JobsOutput.Answer(7, new CommandReply.Done(true)));
        assertThat(outputs.get(2)).isInstanceOf(JobsOutput.Happened.class);
        assertThat(outputs.get(3))
                .isInstanceOfSatisfying(
                        JobsOutput.Effects.class,
                        effects ->
                                assertThat(effects.asked())
                                        .singleElement()
                                        .isInstanceOf(Effect.RunStep.class));
    }

    @Test
    void oneAppendIsInFlight_andWhatIsDecidedMeanwhileGoesIntoTheNext() {
        put(Samples.submit("j", 1));
        put(cancel(2));

        assertThat(outputs).hasSize(1);

        outputs.clear();
        put(new JobsInput.Committed(Samples.job("j")));

        assertThat(writes()).hasSize(1);
        assertThat(writes().getFirst().append().expected()).isEqualTo(2);
        assertThat(outputs).doesNotContain(new JobsOutput.Answer(2, new CommandReply.Done(true)));
    }

    /// Trap: it stays in memory forever, and looks as if it were being worked on.
    @Test
    void aJobThatCannotBeLoaded_isForgotten_untilSomebodyAsksForItAgain() {
        put(cancel(1));
        assertThat(outputs).containsExactly(new JobsOutput.Load(Samples.job("j")));

        put(new JobsInput.LoadFailed(Samples.job("j"), "the disk is gone"));

        assertThat(core.size()).isZero();
        outputs.clear();
        put(cancel(2));
        assertThat(outputs).containsExactly(new JobsOutput.Load(Samples.job("j")));
    }

    /// Trap: the grant waits for as long as the job cannot be read, with the slot of its worker, and the other tasks of the
    /// same answer wait for it.
    @Test
    void aGrantOfAJobThatCannotBeRead_lapses_andItsTasksAreOfferedAgainWhenItIsRead() {
        var offer = Samples.offer(0, 0, Samples.NOW);
        put(new JobsInput.Given(Samples.job("j"), grant(offer), JobsInput.Given.NO_REPLY));
        outputs.clear();

        put(new JobsInput.LoadFailed(Samples.job("j"), "a page is damaged"));

        assertThat(outputs)
                .containsExactly(
                        new JobsOutput.GrantLapsed(new LeaseToken("t")),
                        new JobsOutput.Unreadable(Samples.job("j")),
                        new JobsOutput.Load(Samples.job("j")));
        outputs.clear();

        put(new JobsInput.Loaded(new JobState.Unsubmitted(Samples.job("j"))));

        assertThat(outputs).first().isInstanceOf(JobsOutput.AllPending.class);
    }

    /// Trap: room is counted in jobs or tasks, and a few with much in them fill the memory.
    @Test
    void jobsThatAreIdle_makeRoom_byTheMemoryThatTheyTakeUp() {
        var room = 1_000_000;
        var small = new JobsCore(room);
        var large = new JobsCore(room);
        for (var i = 0; i < 100; i++) {
            idle(small, "j" + i, 10);
            idle(large, "j" + i, 50_000);
        }

        assertThat(small.size()).isEqualTo(100);
        assertThat(large.size()).isBetween(10, 25);
        assertThat(outputs)
                .filteredOn(JobsOutput.Forgotten.class::isInstance)
                .hasSize(100 - large.size());
    }

    @Test
    void whenMemoryIsShort_jobsThatAreIdleLeaveIt_andThoseThatAreNotStay() {
        var jobs = new JobsCore(1_000_000);
        for (var i = 0; i < 15; i++) {
            idle(jobs, "j" + i, 50_000);
        }
        jobs.on(
                new JobsInput.Begun(
                        Samples.job("busy"),
                        new JobCommand.Submit(SampleJobs.SPEC, Samples.NOW),
                        0),
                outputs::add);
        outputs.clear();

        jobs.on(new JobsInput.Spare(), outputs::add);

        assertThat(jobs.size()).isBetween(2, 6);
        assertThat(outputs)
                .hasSize(16 - jobs.size())
                .hasOnlyElementsOfType(JobsOutput.Forgotten.class)
                .doesNotContain(new JobsOutput.Forgotten(Samples.job("busy")));
    }

    private void idle(JobsCore core, String name, int bytes) {
        var like = SampleJobs.SPEC;
        var spec =
                new JobSpec(
                        like.blueprint(),
                        like.start(),
                        like.client(),
                        JobData.of(JsonObject.of("text", JsonValue.of("x".repeat(bytes)))),
                        like.options(),
                        like.rules());
        var command = new JobCommand.Submit(spec, Samples.NOW);
        core.on(new JobsInput.Begun(Samples.job(name), command, 0), outputs::add);
        core.on(new JobsInput.Reserved(Samples.job(name), List.of()), outputs::add);
        core.on(new JobsInput.Committed(Samples.job(name)), outputs::add);
    }

    /// Trap: a rule that throws on one command takes those along that waited behind it, and nobody answers them.
    @Test
    @NullUnmarked
    void aRuleThatFailsOnACommand_leavesTheOthersToBeDecided() {
        put(Samples.submit("j", 0));
        var submitted = writes().getFirst().append().events();
        put(new JobsInput.Committed(Samples.job("j")));
        put(new JobsInput.AppendFailed(Samples.job("j"), "the disk is gone"));
        outputs.clear();
        var nonsense = new JobCommand.CompleteStep(FIRST_STEP, null, List.of(), Samples.NOW);
        put(new JobsInput.Given(Samples.job("j"), nonsense, 7));
        put(cancel(8));

        put(
                new JobsInput.Loaded(
                        Jobs.evolve(new JobState.Unsubmitted(Samples.job("j")), submitted)
                                .after()));

        assertThat(outputs)
                .anySatisfy(output -> assertThat(output).isInstanceOf(JobsOutput.Broken.class))
                .anySatisfy(output ->
                        assertThat(output)
                                .isInstanceOfSatisfying(
                                        JobsOutput.Answer.class,
                                        answer -> assertThat(answer.requestId()).isEqualTo(7)));
        assertThat(writes().getFirst().append().row().status()).isEqualTo("cancelled");
    }

    @Test
    void theGrantTravelsInTheAppendThatOpensTheTask() {
        begin();
        put(Samples.dispatch("j", FIRST_STEP));
        var offer = reserved().offers().getFirst();

        put(new JobsInput.Reserved(Samples.job("j"), List.of(grant(offer))));

        assertThat(writes().getFirst().append().events())
                .extracting(event -> event.getClass().getSimpleName())
                .containsExactly("StepDone", "TaskOpened", "LeaseGranted");
    }

    @Test
    void anAppendOfUnknownOutcome_dropsTheHead_readsAgain_andSaysAllThatIsPending() {
        begin();
        put(Samples.dispatch("j", FIRST_STEP));
        var offer = reserved().offers().getFirst();
        put(new JobsInput.Reserved(Samples.job("j"), List.of(grant(offer))));
        outputs.clear();

        put(new JobsInput.AppendFailed(Samples.job("j"), "the disk is gone"));

        assertThat(outputs)
                .containsExactly(
                        new JobsOutput.Forgotten(Samples.job("j")),
                        new JobsOutput.Load(Samples.job("j")));

        outputs.clear();
        put(new JobsInput.Loaded(new JobState.Unsubmitted(Samples.job("j"))));

        assertThat(outputs).hasSize(2);
        assertThat(outputs.getFirst()).isInstanceOf(JobsOutput.AllPending.class);
        assertThat(outputs.getLast()).isEqualTo(new JobsOutput.GrantLapsed(new LeaseToken("t")));
    }

    /// Trap: between the two the place of a lease that lives is given to another task.
    @Test
    void aGrantOfUnknownOutcome_keepsItsPlace_untilTheJobHasReportedThatItsLeaseLives() {
        put(Samples.submit("j", 0));
        var submitted = writes().getFirst().append().events();
        put(new JobsInput.Committed(Samples.job("j")));
        put(Samples.dispatch("j", FIRST_STEP));
        var offer = reserved().offers().getFirst();
        outputs.clear();
        put(new JobsInput.Reserved(Samples.job("j"), List.of(grant(offer))));
        var opened = new ArrayList<>(submitted);
        opened.addAll(writes().getFirst().append().events());
        outputs.clear();

        put(new JobsInput.AppendFailed(Samples.job("j"), "the disk did not answer"));
        put(
                new JobsInput.Loaded(
                        Jobs.evolve(new JobState.Unsubmitted(Samples.job("j")), opened).after()));

        var all = outputs.stream().filter(JobsOutput.AllPending.class::isInstance).findFirst();
        assertThat(all)
                .hasValueSatisfying(output ->
                        assertThat(((JobsOutput.AllPending) output).pending())
                                .anyMatch(Effect.HoldLease.class::isInstance));
        assertThat(outputs.indexOf(new JobsOutput.GrantLapsed(new LeaseToken("t"))))
                .isGreaterThan(outputs.indexOf(all.orElseThrow()));
    }

    @Test
    void aStepWhoseOutcomeCannotBeWritten_fails_andIsNotRunAgain() {
        put(Samples.submit("j", 0));
        var submitted = writes().getFirst().append().events();
        put(new JobsInput.Committed(Samples.job("j")));
        outputs.clear();
        put(Samples.dispatch("j", FIRST_STEP));
        put(new JobsInput.Reserved(Samples.job("j"), List.of()));
        put(new JobsInput.AppendRefused(Samples.job("j"), "it is not text"));
        outputs.clear();

        put(
                new JobsInput.Loaded(
                        Jobs.evolve(new JobState.Unsubmitted(Samples.job("j")), submitted)
                                .after()));

        assertThat(writes().getFirst().append().row().status()).isEqualTo("quarantined");
        assertThat(outputs)
                .filteredOn(JobsOutput.AllPending.class::isInstance)
                .singleElement()
                .isInstanceOfSatisfying(
                        JobsOutput.AllPending.class, all -> assertThat(all.pending()).isEmpty());
    }

    /// Trap: the job is read again, as one that is asked what it has pending, and its handler runs a second time.
    @Test
    void aHandlerThatEndsWhileItsJobIsRead_isNotRunAgain() {
        put(Samples.submit("j", 0));
        var events = writes().getFirst().append().events();
        var reading = new JobsCore(100_000);
        outputs.clear();
        reading.on(new JobsInput.Repeat(Samples.job("j")), outputs::add);
        assertThat(outputs).containsExactly(new JobsOutput.Load(Samples.job("j")));
        reading.on(Samples.dispatch("j", FIRST_STEP), outputs::add);
        outputs.clear();

        reading.on(
                new JobsInput.Loaded(
                        Jobs.evolve(new JobState.Unsubmitted(Samples.job("j")), events).after()),
                outputs::add);

        assertThat(outputs)
                .filteredOn(JobsOutput.AllPending.class::isInstance)
                .singleElement()
                .isInstanceOfSatisfying(
                        JobsOutput.AllPending.class, all -> assertThat(all.pending()).isEmpty());
        assertThat(outputs).anyMatch(JobsOutput.Reserve.class::isInstance);
    }

    @Test
    void anAppendThatTurnsOutToBeDurable_isReportedToTheCallerThatWaits() {
        begin();
        put(cancel(1));
        var events = new ArrayList<>(submitted);
        events.addAll(writes().getFirst().append().events());
        put(new JobsInput.AppendFailed(Samples.job("j"), "the disk is slow"));
        outputs.clear();

        put(
                new JobsInput.Loaded(
                        Jobs.evolve(new JobState.Unsubmitted(Samples.job("j")), events).after()));

        assertThat(outputs)
                .anySatisfy(output ->
                        assertThat(output)
                                .isInstanceOfSatisfying(
                                        JobsOutput.Happened.class,
                                        happened -> assertThat(happened.job().isFinal()).isTrue()));
    }

    @Test
    void aLongHistory_isKeptAsAFold_andAgainOnlyAfterAsManyEvents() {
        var keeping = new JobsCore(100_000, Definitions.NONE, 10);
        var all = new ArrayList<JobsOutput>();
        keeping.on(Samples.submit("j", 1), all::add);
        keeping.on(new JobsInput.Committed(Samples.job("j")), all::add);

        for (var i = 0; i < 40; i++) {
            keeping.on(signal(i), all::add);
            keeping.on(new JobsInput.Committed(Samples.job("j")), all::add);
        }

        var versions =
                all.stream()
                        .filter(JobsOutput.Keep.class::isInstance)
                        .map(output -> ((JobsOutput.Keep) output).job().version())
                        .toList();
        assertThat(versions).containsExactly(10L, 20L, 30L, 40L);
    }

    @Test
    void aJobThatWasFoldedFromFar_isKeptAtOnce_andOneThatWasNot_isNot() {
        var keeping = new JobsCore(100_000, Definitions.NONE, 2);
        var state = Jobs.evolve(new JobState.Unsubmitted(Samples.job("j")), begun()).after();
        var all = new ArrayList<JobsOutput>();

        keeping.on(new JobsInput.Recovered(state, 0), all::add);
        assertThat(all).hasAtLeastOneElementOfType(JobsOutput.Keep.class);

        all.clear();
        new JobsCore(100_000, Definitions.NONE, 2)
                .on(new JobsInput.Recovered(state, state.version()), all::add);
        assertThat(all).doesNotHaveAnyElementsOfTypes(JobsOutput.Keep.class);
    }

    private List<JobEvent> begun() {
        begin();
        return submitted;
    }

    private static JobsInput.Given signal(int number) {
        return new JobsInput.Given(
                Samples.job("j"),
                new JobCommand.Signal(
                        "go", "id-" + number, Payload.EMPTY, "c", Samples.NOW.plusSeconds(number)),
                JobsInput.Given.NO_REPLY);
    }

    @Test
    void anEndWithoutAHandler_isReachedInTheAppendThatEntersIt() {
        var all = new ArrayList<JobsOutput>();
        var end = new State("start", true, List.of(), Optional.empty(), false, false);

        new JobsCore(100_000, (_, _) -> Optional.of(end)).on(Samples.submit("j", 1), all::add);

        assertThat(((JobsOutput.Write) all.getFirst()).append().row().status())
                .isEqualTo("finished");
    }

    @Test
    void aCommandForAJobThatIsNotInMemory_waitsUntilItIsRead() {
        put(cancel(3));

        assertThat(outputs).containsExactly(new JobsOutput.Load(Samples.job("j")));

        outputs.clear();
        put(new JobsInput.Loaded(new JobState.Unsubmitted(Samples.job("j"))));

        assertThat(outputs)
                .singleElement()
                .isInstanceOfSatisfying(
                        JobsOutput.Answer.class,
                        answer ->
                                assertThat(answer.reply().toString())
                                        .contains("there is no job j"));
    }

    @Test
    void idleJobsLeaveMemory_whenThereIsNoRoom() {
        for (var i = 0; i < 500; i++) {
            put(Samples.submit("j" + i, 0));
            put(new JobsInput.Committed(Samples.job("j" + i)));
        }

        assertThat(core.size()).isLessThan(120);
    }

    private void begin() {
        put(Samples.submit("j", 0));
        submitted = writes().getFirst().append().events();
        put(new JobsInput.Committed(Samples.job("j")));
        outputs.clear();
    }

    private static JobsInput.Given cancel(long requestId) {
        return new JobsInput.Given(
                Samples.job("j"), new JobCommand.Cancel("enough", Samples.NOW), requestId);
    }

    private static JobCommand.Grant grant(Effect.Offer offer) {
        var placement = new Placement(Samples.WORKER, "test", List.of(), new LinkedHashMap<>(), 1);
        return new JobCommand.Grant(
                offer.id(),
                offer.task(),
                new LeaseToken("t"),
                Samples.WORKER,
                placement,
                Samples.NOW);
    }

    private JobsOutput.Reserve reserved() {
        return (JobsOutput.Reserve) outputs.getLast();
    }

    private List<JobsOutput.Write> writes() {
        return outputs.stream()
                .filter(JobsOutput.Write.class::isInstance)
                .map(JobsOutput.Write.class::cast)
                .toList();
    }

    private void put(JobsInput input) {
        core.on(input, outputs::add);
    }
}
