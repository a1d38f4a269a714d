package dev.artel.server.api.dashboard;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.engine.shell.EngineConfig;
import dev.artel.engine.shell.LocalEngine;
import dev.artel.engine.shell.PersonNeed;
import dev.artel.engine.shell.Supervision;
import dev.artel.engine.shell.Vitals;
import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.engine.Notifier;
import dev.artel.kernel.engine.Submission;
import dev.artel.kernel.engine.SubmitReply;
import dev.artel.kernel.job.BlueprintRef;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.job.Resolution;
import dev.artel.kernel.placement.Placement;
import dev.artel.kernel.question.Question;
import dev.artel.kernel.store.StoredEvents;
import dev.artel.kernel.store.StreamId;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.RetryPolicy;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.kernel.webhook.Webhook;
import dev.artel.kernel.webhook.WebhookEvent;
import dev.artel.testkit.store.ForwardingEventStore;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryKeyValueStore;
import dev.artel.testkit.store.InMemoryPayloadStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What is known of the waits for people, across restarts.
final class OpenNeedsTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final WorkerId ANNA = new WorkerId("anna");

    private final InMemoryEventStore store = new InMemoryEventStore();
    private final InMemoryPayloadStore payloads = new InMemoryPayloadStore();

    private static Blueprints blueprints() {
        return Blueprints.of(
                Blueprint.named("asking")
                        .start(
                                "begin",
                                _ ->
                                        Action.awaitApproval(
                                                        "Release it?", Outcomes.on("yes", "end"))
                                                .within(HOUR, "end"))
                        .leadingTo("end")
                        .end("end")
                        .build(),
                Blueprint.named("breaking")
                        .start("begin", _ -> Action.waitFor(HOUR, "broken"))
                        .leadingTo("broken")
                        .state(
                                "broken",
                                _ -> {
                                    throw new IllegalStateException("no paper");
                                })
                        .retry(RetryPolicy.NEVER)
                        .build());
    }

    /// No job here has a webhook.
    private record NoWebhooks() implements Notifier {
        @Override
        public List<Webhook> subscribers(String blueprint) {
            return List.of();
        }

        @Override
        public void deliver(
                JobId job, String client, WebhookEvent webhookEvent, Consumer<Reply> onReply) {
            onReply.accept(new NoRoom());
        }

        @Override
        public boolean hasRoom(String client, WebhookEvent webhookEvent) {
            return false;
        }

        @Override
        public boolean holds(JobId job, EffectId call) {
            return false;
        }
    }

    private LocalEngine started(InstantSource clock, OpenNeeds needs) {
        return LocalEngine.start(
                EngineConfig.DEFAULTS,
                store,
                payloads,
                new InMemoryKeyValueStore(),
                blueprints(),
                clock,
                List.of(needs),
                new NoWebhooks(),
                Vitals.watching(Supervision.LOG_ONLY));
    }

    private static JobId submit(LocalEngine engine, String blueprint) {
        var reply =
                engine.submit(
                        new Submission(
                                blueprint,
                                "alice",
                                JsonObject.EMPTY,
                                Optional.empty(),
                                JobOptions.DEFAULTS));
        return ((SubmitReply.Accepted) reply).job();
    }

    private static void awaitStatus(LocalEngine engine, JobId job, String status) {
        await().untilAsserted(() ->
                assertThat(engine.find(job)).get().extracting(Job::status).isEqualTo(status));
    }

    /// Trap: what happens to jobs while they are taken up is missed, and what they waited for before is listed forever.
    @Test
    void whatEndsOrBeginsWhileJobsAreTakenUp_isKnown() {
        var before = new OpenNeeds(store, InstantSource.system());
        JobId asking;
        JobId breaking;
        try (var engine = started(InstantSource.system(), before)) {
            asking = submit(engine, "asking");
            breaking = submit(engine, "breaking");
            await().until(() -> before.count(PersonNeed.Kind.APPROVAL) == 1);
            awaitStatus(engine, breaking, "waiting");
        }

        var later = InstantSource.offset(InstantSource.system(), HOUR.multipliedBy(2));
        var needs = new OpenNeeds(store, later);
        try (var engine = started(later, needs)) {
            await().untilAsserted(
                            () -> assertThat(engine.find(asking)).get().matches(Job::isFinal));

            await().until(() -> needs.count(PersonNeed.Kind.QUARANTINE) == 1);
            await().until(() -> needs.count(PersonNeed.Kind.APPROVAL) == 0);
        }
    }

    private static PersonNeed approval(String job) {
        return new PersonNeed(new JobId(job), PersonNeed.Kind.APPROVAL, 1, -1, "asking", "alice");
    }

    private static PersonNeed approval(String job, String client) {
        return new PersonNeed(new JobId(job), PersonNeed.Kind.APPROVAL, 1, -1, "asking", client);
    }

    private static List<String> listed(OpenNeeds needs) {
        var jobs = new ArrayList<String>();
        needs.from(Instant.EPOCH).forEachRemaining(open -> jobs.add(open.what().job().value()));
        return jobs;
    }

    /// Trap: one client has as many jobs that wait for a person as are known of all.
    @Test
    void manyNeedsOfOneClient_hideNoneOfOthers() {
        var needs = new OpenNeeds(store, () -> Instant.EPOCH, 8);
        for (var i = 0; i < 10; i++) {
            needs.neededBefore(approval("eve-" + i, "eve"));
        }

        needs.neededBefore(approval("bob-1", "bob"));
        needs.neededBefore(approval("carl-1", "carl"));

        assertThat(listed(needs))
                .containsExactlyInAnyOrder("eve-0", "eve-1", "eve-2", "eve-3", "bob-1", "carl-1");
        assertThat(needs.count(PersonNeed.Kind.APPROVAL)).isEqualTo(6);
    }

    /// Trap: a need whose beginning cannot be found leaves all behind it without a date.
    @Test
    void oneThatCannotBeDated_doesNotKeepTheOthersFromIt() {
        var begun = Instant.parse("2026-01-01T00:00:00Z");
        JobId job;
        try (var engine = started(InstantSource.fixed(begun), new OpenNeeds(store, () -> begun))) {
            job = submit(engine, "asking");
        }
        var broken =
                new ForwardingEventStore(store) {
                    @Override
                    public List<StoredEvents> read(StreamId stream, long after, int limit) {
                        if (stream.id().equals("broken")) {
                            throw new IllegalStateException("it has no such event");
                        }
                        return super.read(stream, after, limit);
                    }
                };
        var needs = new OpenNeeds(broken, () -> begun.plus(HOUR));
        needs.neededBefore(approval("broken"));
        needs.neededBefore(approval(job.value()));

        needs.lookUpDates();

        var since = new ArrayList<Instant>();
        needs.from(Instant.EPOCH).forEachRemaining(open -> since.add(open.since()));
        assertThat(since).containsExactly(begun, begun.plus(HOUR));
    }

    /// A job as an observer sees it.
    private final class Observed {
        private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
        private final OpenNeeds needs = new OpenNeeds(store, () -> NOW);
        private JobState state = new JobState.Unsubmitted(new JobId("j"));

        Job job() {
            return (Job) state;
        }

        /// What is listed is at every moment what the job waits for.
        void give(JobCommand command) {
            if (!(Jobs.decide(state, command) instanceof Decision.Accepted accepted)) {
                throw new AssertionError(command + " was refused");
            }
            state = accepted.after();
            needs.happened(job(), accepted.events());
            var listed = new ArrayList<PersonNeed>();
            needs.from(Instant.EPOCH).forEachRemaining(open -> listed.add(open.what()));
            assertThat(listed).as("after " + command).containsExactlyInAnyOrderElementsOf(waits());
        }

        private List<PersonNeed> waits() {
            var found = new ArrayList<PersonNeed>();
            for (var effect : Jobs.pending(state)) {
                switch (effect) {
                    case Effect.AwaitOperator _ ->
                            found.add(need(PersonNeed.Kind.QUARANTINE, -1, effect));
                    case Effect.AwaitApproval _ ->
                            found.add(need(PersonNeed.Kind.APPROVAL, -1, effect));
                    case Effect.AwaitAnswer it ->
                            found.add(need(PersonNeed.Kind.QUESTION, it.task(), effect));
                    case Effect.AwaitResolution it ->
                            found.add(need(PersonNeed.Kind.IN_DOUBT, it.task(), effect));
                    default -> {
                        // no person is waited for
                    }
                }
            }
            return found;
        }

        private PersonNeed need(PersonNeed.Kind kind, int task, Effect effect) {
            return new PersonNeed(state.id(), kind, effect.id().event(), task, "asking", "alice");
        }

        void step(int branch, Action action) {
            var step =
                    Jobs.pending(state).stream()
                            .filter(it ->
                                    it instanceof Effect.RunStep run && run.branch() == branch)
                            .findFirst()
                            .orElseThrow();
            give(new JobCommand.CompleteStep(step.id(), action, List.of(), NOW));
        }

        LeaseToken grant(int task) {
            var offer =
                    Jobs.pending(state).stream()
                            .filter(it -> it instanceof Effect.Offer one && one.task() == task)
                            .findFirst()
                            .orElseThrow();
            var token = new LeaseToken("t" + task + "-" + offer.id());
            give(
                    new JobCommand.Grant(
                            offer.id(),
                            task,
                            token,
                            ANNA,
                            new Placement(ANNA, "free", List.of(), new LinkedHashMap<>(), 1),
                            NOW));
            return token;
        }

        void ask(int task, LeaseToken token) {
            var question = new Question("q", "Which?", List.of());
            give(new JobCommand.AskQuestion(task, token, ANNA, question, Optional.empty(), NOW));
        }

        void answer(int task) {
            var number = job().tasks().get(task).asked().orElseThrow().number();
            give(new JobCommand.AnswerQuestion(number, "this", "ben", NOW));
        }

        void lose(int task, LeaseToken token) {
            give(new JobCommand.EndLease(task, token, LeaseEnd.Lost.WORKER_GONE, NOW));
        }
    }

    /// Trap: what happens to a job of half a million tasks is looked up in all of them, once for each event, and what is looked
    /// up in one task alone misses what happens to others.
    @Test
    void ofAJobOfManyTasks_whatIsListedIsWhatItWaitsFor_afterEachEvent() {
        var observed = new Observed();
        var spec =
                new JobSpec(
                        new BlueprintRef("asking", "1", "graph"),
                        "begin",
                        "alice",
                        JobData.EMPTY,
                        JobOptions.DEFAULTS,
                        JobSpec.CURRENT_RULES);
        observed.give(new JobCommand.Submit(spec, Observed.NOW));
        observed.step(0, Action.fork(List.of("work", "approve"), "joined"));
        var task = TaskSpec.of("work", JsonObject.EMPTY).notIdempotent();
        observed.step(1, Action.dispatchParallel(Collections.nCopies(6, task), "done"));
        observed.step(2, Action.awaitApproval("Go on?", Outcomes.on("yes", "approved")));
        var tokens = IntStream.range(0, 6).mapToObj(observed::grant).toList();
        for (var i = 0; i < 4; i++) {
            observed.ask(i, tokens.get(i));
        }
        assertThat(observed.needs.count(PersonNeed.Kind.QUESTION)).isEqualTo(4);

        observed.answer(2);
        observed.lose(1, tokens.get(1));
        observed.lose(4, tokens.get(4));
        assertThat(observed.needs.count(PersonNeed.Kind.QUESTION)).isEqualTo(2);
        assertThat(observed.needs.count(PersonNeed.Kind.IN_DOUBT)).isEqualTo(2);
        observed.give(
                new JobCommand.ResolveTask(4, new Resolution.DidNotHappen(), "ben", Observed.NOW));
        observed.give(new JobCommand.PauseJob(Optional.empty(), "ben", Observed.NOW));
        observed.give(new JobCommand.ResumeJob("ben", Observed.NOW));
        observed.give(new JobCommand.Cancel("enough", Observed.NOW));
        assertThat(observed.needs.count(PersonNeed.Kind.QUESTION)).isZero();
    }
}
