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
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.engine.Notifier;
import dev.artel.kernel.engine.Submission;
import dev.artel.kernel.engine.SubmitReply;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.store.StoredEvents;
import dev.artel.kernel.store.StreamId;
import dev.artel.kernel.task.RetryPolicy;
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
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// What is known of the waits for people, across restarts.
final class OpenNeedsTest {
    private static final Duration HOUR = Duration.ofHours(1);

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
}
