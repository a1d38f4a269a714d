package dev.artel.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.approval.Approver;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.engine.Engine;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.engine.Submission;
import dev.artel.kernel.engine.SubmitReply;
import dev.artel.kernel.engine.Submitter;
import dev.artel.kernel.job.ClientPlan;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.JobPatch;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.job.QuarantineAction;
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskError;
import dev.artel.kernel.task.TaskReport;
import dev.artel.kernel.task.TaskSpec;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/// What every [Engine] does, seen from its two sides. A test class of an engine implements [#start] and nothing else.
///
/// Waits end after [#LONGEST]; a wait that succeeds takes as long as the engine does.
public interface EngineContract {
    /// How long a test waits for one step of the engine at most: a machine that has much else to do is slow.
    Duration LONGEST = Duration.ofMinutes(3);

    /// An engine that knows `blueprints` and continues what the former engines of the same test have acknowledged. A test runs
    /// one at a time, and closes each.
    TestedEngine start(Blueprint... blueprints);

    /// One task of type `work` with the job's initial data; its result is that of the job.
    private static Blueprint one() {
        return Blueprint.named("one")
                .start(
                        "begin",
                        step ->
                                Action.dispatch(
                                        TaskSpec.of("work", step.initialData()),
                                        Outcomes.on("success", "done")))
                .leadingTo("done")
                .state("done", step -> Action.finish(step.data()))
                .build();
    }

    /// Waits for the signal `go`, whose payload is in the result.
    private static Blueprint waiting() {
        return Blueprint.named("waiting")
                .start("begin", _ -> Action.awaitSignal("go", "done"))
                .leadingTo("done")
                .state("done", step -> Action.finish(step.data()))
                .build();
    }

    /// Waits for a person, who chooses `yes` or `no`.
    private static Blueprint asking() {
        return Blueprint.named("asking")
                .start(
                        "begin",
                        _ ->
                                Action.awaitApproval(
                                        "May it?", Outcomes.on("yes", "done").and("no", "failed")))
                .leadingTo("done", "failed")
                .state("done", step -> Action.finish(step.data()))
                .state("failed", _ -> Action.fail("a person answered no"))
                .build();
    }

    private static Submission submission(String blueprint, Optional<String> key) {
        return new Submission(
                blueprint, "alice", JsonObject.of("n", JsonValue.of(1)), key, JobOptions.DEFAULTS);
    }

    private static JobId submit(Engine engine, String blueprint) {
        var reply = engine.submit(submission(blueprint, Optional.empty()));
        assertThat(reply).isInstanceOf(SubmitReply.Accepted.class);
        return ((SubmitReply.Accepted) reply).job();
    }

    private static JobOutcome outcomeOf(Engine engine, JobId id) {
        var job = engine.awaitFinal(id, LONGEST).orElseThrow();
        assertThat(job.phase()).as("the end of %s", job.id()).isInstanceOf(Job.Ended.class);
        return ((Job.Ended) job.phase()).outcome();
    }

    /// The job, once it is as `wanted`.
    private static Job await(Engine engine, JobId id, Predicate<Job> wanted) {
        var deadline = System.nanoTime() + LONGEST.toNanos();
        while (System.nanoTime() - deadline < 0) {
            var job = engine.awaitFinal(id, Duration.ofMillis(20)).orElseThrow();
            if (wanted.test(job)) {
                return job;
            }
        }
        throw new AssertionError(
                "job "
                        + id
                        + " did not get there within "
                        + LONGEST
                        + "; it is "
                        + engine.find(id).map(Job::status));
    }

    private static boolean waitsFor(Job job, Class<? extends Effect> what) {
        return Jobs.pending(job).stream().anyMatch(what::isInstance);
    }

    private static long approvalOf(Engine engine, JobId id) {
        var job = await(engine, id, it -> waitsFor(it, Effect.AwaitApproval.class));
        return Jobs.pending(job).stream()
                .filter(Effect.AwaitApproval.class::isInstance)
                .map(Effect.AwaitApproval.class::cast)
                .findFirst()
                .orElseThrow()
                .number();
    }

    private static TaskReport success(String text) {
        return new TaskReport.Succeeded(
                TaskReport.Succeeded.SUCCESS,
                Payload.of(JsonObject.of("text", JsonValue.of(text))));
    }

    private static TaskReport failure() {
        return new TaskReport.Failed(
                new TaskError(ErrorClass.PERMANENT, "PERMANENT_ERROR", "it cannot be done"));
    }

    private static void assertRefused(CommandReply reply, Decision.Reason reason) {
        assertThat(reply)
                .isInstanceOfSatisfying(
                        CommandReply.Refused.class,
                        refused -> {
                            assertThat(refused.reason()).isEqualTo(reason);
                            assertThat(refused.detail()).isNotBlank();
                        });
    }

    @Test
    default void aJob_endsWithTheResultOfItsTask() throws InterruptedException {
        try (var tested = start(one())) {
            var worker = ContractWorker.join(tested, "w", "work");
            var id = submit(tested.engine(), "one");

            var task = worker.take();
            assertThat(task.job()).isEqualTo(id);
            assertThat(task.lease().worker()).isEqualTo(worker.id());
            assertThat(worker.report(task, success("well"))).isEqualTo(new CommandReply.Done(true));

            assertThat(outcomeOf(tested.engine(), id).toString()).contains("well");
        }
    }

    @Test
    default void aSubmission_isRefused_ifNobodyKnowsItsBlueprint() {
        try (var tested = start(one())) {
            assertThat(tested.engine().submit(submission("none", Optional.empty())))
                    .isInstanceOfSatisfying(
                            SubmitReply.Refused.class,
                            refused ->
                                    assertThat(refused.why())
                                            .isEqualTo(SubmitReply.Why.UNKNOWN_BLUEPRINT));
        }
    }

    @Test
    default void theSameKey_isTheSameJob_andForAnotherRequestRefused() {
        try (var tested = start(one(), waiting())) {
            var key = Optional.of("k");
            assertThat(tested.engine().isKnown(submission("one", key))).isFalse();
            var first = (SubmitReply.Accepted) tested.engine().submit(submission("one", key));

            assertThat(first.created()).isTrue();
            assertThat(tested.engine().isKnown(submission("one", key))).isTrue();
            assertThat(tested.engine().isKnown(submission("one", Optional.empty()))).isFalse();
            assertThat(tested.engine().isKnown("bob", "k")).isFalse();
            assertThat(tested.engine().submit(submission("one", key)))
                    .isEqualTo(new SubmitReply.Accepted(first.job(), false));
            assertThat(tested.engine().submit(submission("waiting", key)))
                    .isInstanceOfSatisfying(
                            SubmitReply.Refused.class,
                            refused ->
                                    assertThat(refused.why())
                                            .isEqualTo(SubmitReply.Why.KEY_REUSED));
        }
    }

    @Test
    default void whatIsNotThere_isNotFound_andTakesNoCommand() {
        try (var tested = start(one())) {
            var engine = tested.engine();
            var none = new JobId("none");

            assertThat(engine.find(none)).isEmpty();
            assertThat(engine.awaitFinal(none, LONGEST)).isEmpty();
            assertThat(engine.whyNotYet(none, 0)).isEmpty();
            assertRefused(engine.cancel(none, "no"), Decision.Reason.UNKNOWN_JOB);
            assertRefused(
                    engine.signal(none, "go", "1", JsonObject.EMPTY, "alice"),
                    Decision.Reason.UNKNOWN_JOB);
        }
    }

    @Test
    default void anAcknowledgedJob_outlivesTheEngine() throws InterruptedException {
        JobId id;
        try (var tested = start(one())) {
            id = submit(tested.engine(), "one");
        }
        try (var tested = start(one())) {
            var worker = ContractWorker.join(tested, "w", "work");
            assertThat(tested.engine().find(id)).isPresent();

            worker.report(worker.take(), success("later"));

            assertThat(outcomeOf(tested.engine(), id)).isInstanceOf(JobOutcome.Finished.class);
        }
        try (var tested = start(one())) {
            assertThat(outcomeOf(tested.engine(), id).toString()).contains("later");
        }
    }

    @Test
    default void aLease_outlivesTheEngine_andItsWorkerMayReport() throws InterruptedException {
        JobId id;
        HandOut task;
        try (var tested = start(one())) {
            var worker = ContractWorker.join(tested, "w", "work");
            id = submit(tested.engine(), "one");
            task = worker.take();
        }
        try (var tested = start(one())) {
            var worker = ContractWorker.join(tested, "w", "work");

            assertThat(worker.takeUp().lease().token()).isEqualTo(task.lease().token());
            assertThat(worker.report(task, success("late"))).isEqualTo(new CommandReply.Done(true));
            assertThat(outcomeOf(tested.engine(), id).toString()).contains("late");
        }
    }

    @Test
    default void aReport_countsOnce_andOnlyFromTheHolderOfTheLease() throws InterruptedException {
        try (var tested = start(one())) {
            var worker = ContractWorker.join(tested, "w", "work");
            var id = submit(tested.engine(), "one");
            var task = worker.take();
            var workerPort = tested.deliveries();

            assertThat(workerPort.report(worker.id(), new LeaseToken("forged"), success("x")))
                    .isInstanceOf(CommandReply.Refused.class);
            assertThat(workerPort.report(new WorkerId("other"), task.lease().token(), success("x")))
                    .isInstanceOf(CommandReply.Refused.class);
            assertThat(worker.report(task, success("first")))
                    .isEqualTo(new CommandReply.Done(true));
            outcomeOf(tested.engine(), id);
            assertThat(worker.report(task, success("first")))
                    .isNotEqualTo(new CommandReply.Done(true));

            assertThat(outcomeOf(tested.engine(), id).toString()).contains("first");
        }
    }

    @Test
    default void aSignal_countsOnce_alsoWhenItComesBeforeAnybodyWaits() {
        try (var tested = start(waiting())) {
            var engine = tested.engine();
            var id = submit(engine, "waiting");

            assertThat(engine.signal(id, "go", "1", JsonValue.of("away"), "alice"))
                    .isEqualTo(new CommandReply.Done(true));
            assertThat(outcomeOf(engine, id).toString()).contains("away");

            var other = submit(engine, "waiting");
            await(engine, other, it -> waitsFor(it, Effect.AwaitSignal.class));
            engine.signal(other, "another", "1", JsonObject.EMPTY, "alice");
            assertThat(engine.signal(other, "another", "1", JsonObject.EMPTY, "alice"))
                    .isEqualTo(new CommandReply.Done(false));
        }
    }

    @Test
    default void anApproval_leadsWhereItsChoiceDoes_andIsDecidedOnce() {
        try (var tested = start(asking())) {
            var engine = tested.engine();
            var id = submit(engine, "asking");
            var by = new Approver.OfClient("alice", approvalOf(engine, id));

            assertRefused(
                    engine.decide(id, by, "perhaps", Optional.empty()),
                    Decision.Reason.NO_SUCH_CHOICE);
            assertThat(engine.decide(id, by, "yes", Optional.of("of course")))
                    .isEqualTo(new CommandReply.Done(true));
            assertThat(outcomeOf(engine, id).toString()).contains("of course");
            assertThat(engine.decide(id, by, "no", Optional.empty()))
                    .isInstanceOf(CommandReply.Refused.class);
        }
    }

    @Test
    default void aCancelledJob_ends_andItsWorkerIsToGiveUp() throws InterruptedException {
        try (var tested = start(one())) {
            var engine = tested.engine();
            var worker = ContractWorker.join(tested, "w", "work");
            var id = submit(engine, "one");
            var task = worker.take();

            assertThat(engine.cancel(id, "not needed")).isEqualTo(new CommandReply.Done(true));
            assertThat(worker.nextRevoked()).isEqualTo(task.lease().token());
            worker.report(task, new TaskReport.Cancelled());

            assertThat(outcomeOf(engine, id)).isInstanceOf(JobOutcome.Cancelled.class);
            assertThat(engine.cancel(id, "again")).isNotEqualTo(new CommandReply.Done(true));
        }
    }

    @Test
    default void aQuarantinedJob_goesOnWhenItIsReleased_andIsNotResolvedBefore()
            throws InterruptedException {
        try (var tested = start(one())) {
            var engine = tested.engine();
            var worker = ContractWorker.join(tested, "w", "work");
            var id = submit(engine, "one");
            assertThat(engine.resolve(id, new QuarantineAction.Release(), "alice"))
                    .isInstanceOf(CommandReply.Refused.class);

            worker.report(worker.take(), failure());
            await(engine, id, it -> it.phase() instanceof Job.Quarantined);
            assertThat(engine.resolve(id, new QuarantineAction.Release(), "alice"))
                    .isEqualTo(new CommandReply.Done(true));
            worker.report(worker.take(), success("resolved"));

            assertThat(outcomeOf(engine, id).toString()).contains("resolved");
        }
    }

    @Test
    default void aRewoundJob_goesOnFromTheState_withTheChanges() throws InterruptedException {
        try (var tested = start(one())) {
            var engine = tested.engine();
            var worker = ContractWorker.join(tested, "w", "work");
            var id = submit(engine, "one");
            worker.report(worker.take(), failure());
            await(engine, id, it -> it.phase() instanceof Job.Quarantined);
            var changes = JobData.of(JsonObject.of("note", JsonValue.of("once more")));

            assertThat(engine.rewind(id, "nowhere", changes, "alice"))
                    .isInstanceOf(CommandReply.Refused.class);
            assertThat(engine.rewind(id, "begin", changes, "alice"))
                    .isEqualTo(new CommandReply.Done(true));
            worker.report(worker.take(), success("second"));

            assertThat(outcomeOf(engine, id).toString()).contains("second", "once more");
        }
    }

    @Test
    default void aForkedJob_isAnother_andHasTheResultsOfTheFirst() throws InterruptedException {
        try (var tested = start(one())) {
            var engine = tested.engine();
            var worker = ContractWorker.join(tested, "w", "work");
            var first = submit(engine, "one");
            worker.report(worker.take(), success("kept"));
            outcomeOf(engine, first);
            var by = new Submitter("alice", ClientPlan.UNKNOWN, Double.POSITIVE_INFINITY);

            var reply = engine.fork(first, "begin", JobData.EMPTY, by, Optional.of("f"));
            assertThat(reply).isInstanceOf(SubmitReply.Accepted.class);
            var forked = ((SubmitReply.Accepted) reply).job();

            assertThat(forked).isNotEqualTo(first);
            assertThat(outcomeOf(engine, forked).toString()).contains("kept");
            assertThat(engine.fork(first, "begin", JobData.EMPTY, by, Optional.of("f")))
                    .isEqualTo(new SubmitReply.Accepted(forked, false));
        }
    }

    @Test
    default void aPausedJob_standsStill_alsoInTheNextEngine_untilItIsResumed()
            throws InterruptedException {
        JobId paused;
        try (var tested = start(one())) {
            paused = submit(tested.engine(), "one");
            assertThat(tested.engine().pause(paused, Optional.of("look at it"), "alice"))
                    .isEqualTo(new CommandReply.Done(true));
            assertThat(tested.engine().pause(paused, Optional.of("again"), "bob"))
                    .isEqualTo(new CommandReply.Done(false));
        }
        try (var tested = start(one())) {
            var engine = tested.engine();
            var worker = ContractWorker.join(tested, "w", "work");
            var other = submit(engine, "one");
            worker.report(worker.take(), success("of the other"));
            assertThat(outcomeOf(engine, other).toString()).contains("of the other");
            assertThat(engine.find(paused).orElseThrow().pause())
                    .hasValueSatisfying(pause -> {
                        assertThat(pause.by()).isEqualTo("alice");
                        assertThat(pause.reason()).hasValue("look at it");
                    });

            assertThat(engine.resume(paused, "bob")).isEqualTo(new CommandReply.Done(true));
            assertThat(engine.resume(paused, "bob")).isEqualTo(new CommandReply.Done(false));
            worker.report(worker.take(), success("at last"));
            assertThat(outcomeOf(engine, paused).toString()).contains("at last");
            assertRefused(engine.pause(paused, Optional.empty(), "alice"), Decision.Reason.FINAL);
        }
    }

    @Test
    default void aChangedJob_keepsItsPriorityAndLabels_inTheNextEngine()
            throws InterruptedException {
        JobId first;
        JobId second;
        var patch =
                new JobPatch(Optional.of(7.0), new LinkedHashMap<>(Map.of("team", "b")), List.of());
        try (var tested = start(one())) {
            first = submit(tested.engine(), "one");
            second = submit(tested.engine(), "one");
            assertThat(tested.engine().change(second, patch, "alice"))
                    .isEqualTo(new CommandReply.Done(true));
            assertThat(tested.engine().change(second, patch, "alice"))
                    .isEqualTo(new CommandReply.Done(false));
        }
        try (var tested = start(one())) {
            var engine = tested.engine();
            for (var id : List.of(first, second)) {
                await(engine, id, it -> engine.whyNotYet(id, 0).isPresent());
            }
            var worker = ContractWorker.join(tested, "w", "work");

            var task = worker.take();
            assertThat(task.job()).isEqualTo(second);
            worker.report(task, success("first"));
            outcomeOf(engine, second);
            var options = engine.find(second).orElseThrow().spec().options();
            assertThat(options.priority()).isEqualTo(7);
            assertThat(options.labels()).containsEntry("team", "b");
            assertRefused(engine.change(second, patch, "alice"), Decision.Reason.FINAL);
        }
    }

    @Test
    default void aQueuedTask_saysWhyItWaits_untilAWorkerHasIt() throws InterruptedException {
        try (var tested = start(one())) {
            var engine = tested.engine();
            var id = submit(engine, "one");
            await(engine, id, it -> it.tasks().size() > 0 && engine.whyNotYet(id, 0).isPresent());

            assertThat(engine.whyNotYet(id, 7)).isEmpty();
            var worker = ContractWorker.join(tested, "w", "work");
            assertThat(engine.eligibilities(id, 0, Optional.empty(), 10)).hasSize(1);
            worker.take();

            assertThat(engine.whyNotYet(id, 0)).isEmpty();
        }
    }

    @Test
    default void aWorkerThatHasLeft_getsNothing_andItsTaskGoesToAnother()
            throws InterruptedException {
        try (var tested = start(one())) {
            var first = ContractWorker.join(tested, "first", "work");
            var id = submit(tested.engine(), "one");
            var lost = first.take();
            tested.deliveries().left(first.id(), LeaseEnd.Lost.WORKER_GONE);

            var second = ContractWorker.join(tested, "second", "work");
            var again = second.take();
            assertThat(again.lease().token()).isNotEqualTo(lost.lease().token());
            assertThat(first.report(lost, success("too late")))
                    .isNotEqualTo(new CommandReply.Done(true));
            second.report(again, success("in time"));

            assertThat(outcomeOf(tested.engine(), id).toString()).contains("in time");
        }
    }
}
