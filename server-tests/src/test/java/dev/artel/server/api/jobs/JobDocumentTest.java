package dev.artel.server.api.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.engine.Engine;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.store.Append;
import dev.artel.kernel.store.JobRow;
import dev.artel.kernel.store.StreamId;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.server.api.access.JobReading;
import dev.artel.server.api.http.ApiJson;
import dev.artel.server.api.http.Selection;
import dev.artel.testkit.store.InMemoryEventStore;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class JobDocumentTest {
    private static final JobId ID = new JobId("a");
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final int TASKS = 3;
    private static final Blueprint SPREAD =
            Blueprint.named("spread")
                    .start("begin", _ -> dispatched())
                    .leadingTo("end")
                    .end("end")
                    .build();

    private final InMemoryEventStore store = new InMemoryEventStore();
    private final List<Integer> asked = new ArrayList<>();

    private static Action dispatched() {
        return Action.dispatchParallel(
                Collections.nCopies(TASKS, TaskSpec.of("paint", JsonObject.EMPTY)), "end");
    }

    private static Decision.Accepted accepted(JobState state, JobCommand command) {
        return switch (Jobs.decide(state, command)) {
            case Decision.Accepted accepted -> accepted;
            case Decision.Rejected rejected -> throw new AssertionError(rejected.detail());
        };
    }

    /// A job whose tasks wait.
    private JobReading waiting() {
        var spec =
                new JobSpec(
                        SPREAD.ref(),
                        SPREAD.start().name(),
                        "tester",
                        JobData.EMPTY,
                        JobOptions.DEFAULTS,
                        JobSpec.CURRENT_RULES);
        var submitted = accepted(new JobState.Unsubmitted(ID), new JobCommand.Submit(spec, NOW));
        var step = (Effect.RunStep) submitted.asked().getFirst();
        var opened =
                accepted(
                        submitted.after(),
                        new JobCommand.CompleteStep(step.id(), dispatched(), List.of(), NOW));
        var job = (Job) opened.after();
        var events = new ArrayList<>(submitted.events());
        events.addAll(opened.events());
        store.append(List.of(new Append(StreamId.of(ID), 0, events, JobRow.of(job, NOW))));
        var engine =
                (Engine)
                        Proxy.newProxyInstance(
                                Engine.class.getClassLoader(),
                                new Class<?>[] {Engine.class},
                                (_, method, _) -> {
                                    if (method.getName().equals("live")) {
                                        return Optional.of(job);
                                    }
                                    throw new UnsupportedOperationException(method.getName());
                                });
        return JobReading.of(ID, engine, store).orElseThrow();
    }

    private JsonObject document(Set<String> fields) {
        return new JobDocument(ApiJson.NONE)
                .of(
                        waiting(),
                        (_, tasks) -> {
                            asked.addAll(tasks);
                            return Map.of();
                        },
                        new Selection(fields));
    }

    /// Trap: the dispatcher is asked about each task that waits, whatever is wanted of the job.
    @Test
    void whatNobodyWantsOfAJob_isNotAskedFor() {
        var some = document(Set.of("status", "task_counts"));

        assertThat(some.names()).containsExactlyInAnyOrder("status", "task_counts");
        assertThat(asked).isEmpty();
    }

    @Test
    void theTasksOfAJob_haveTheirReasons() {
        var all = document(Set.of());

        assertThat(all.array("tasks").map(JsonArray::size)).contains(TASKS);
        assertThat(all.array("active_branches").map(JsonArray::size)).contains(TASKS);
        assertThat(asked).containsExactly(0, 1, 2);
    }
}
