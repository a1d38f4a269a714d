package dev.artel.server.api.control;

import static dev.artel.json.JsonObject.EMPTY;
import static dev.artel.waits.Await.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.artel.engine.shell.Blueprints;
import dev.artel.engine.shell.EngineConfig;
import dev.artel.engine.shell.LocalEngine;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.engine.Submission;
import dev.artel.kernel.engine.SubmitReply;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.store.JobFilter;
import dev.artel.kernel.store.JobQuery;
import dev.artel.kernel.store.JobRow;
import dev.artel.server.api.http.PageRequest;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryPayloadStore;
import dev.artel.waits.Await;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class TreeCancelTest {
    private static final int LIMIT = 3;
    private static final int IN_TREE = 10;

    private final InMemoryEventStore store = new InMemoryEventStore();
    private final LocalEngine engine =
            LocalEngine.start(
                    EngineConfig.DEFAULTS,
                    store,
                    new InMemoryPayloadStore(),
                    Blueprints.of(
                            starting("root", "child", 3), starting("child", "leaf", 2), leaf()),
                    InstantSource.system());
    private final String root = submit("root");
    private final String another = submit("child");

    /// Starts so many children, each of which lives by itself, and waits then.
    private static Blueprint starting(String name, String child, int children) {
        var blueprint = Blueprint.named(name);
        for (var i = 0; i < children; i++) {
            var next = i + 1 < children ? "start-" + (i + 1) : "wait";
            if (i == 0) {
                blueprint
                        .start("start-0", _ -> Action.startBlueprint(child, EMPTY, next))
                        .leadingTo(next);
            } else {
                blueprint
                        .state("start-" + i, _ -> Action.startBlueprint(child, EMPTY, next))
                        .leadingTo(next);
            }
        }
        return blueprint
                .state("wait", _ -> Action.awaitSignal("go", "end"))
                .leadingTo("end")
                .end("end")
                .build();
    }

    private static Blueprint leaf() {
        return Blueprint.named("leaf")
                .start("wait", _ -> Action.awaitSignal("go", "end"))
                .leadingTo("end")
                .end("end")
                .build();
    }

    @BeforeEach
    void allHaveBegun() {
        await().until(() -> tree(root).size() == IN_TREE && tree(another).size() == 3);
    }

    @AfterEach
    void stop() {
        engine.close();
    }

    private String submit(String blueprint) {
        var reply =
                engine.submit(
                        new Submission(
                                blueprint, "alice", EMPTY, Optional.empty(), JobOptions.DEFAULTS));
        return ((SubmitReply.Accepted) reply).job().value();
    }

    /// The job and all that descend from it, parents first.
    private List<String> tree(String job) {
        var found = new ArrayList<>(List.of(job));
        for (var i = 0; i < found.size(); i++) {
            var children = JobFilter.ALL.withParent(new JobId(found.get(i)));
            store.list(JobQuery.of(children, 100))
                    .rows()
                    .forEach(row -> found.add(row.id().value()));
        }
        return found;
    }

    private void end(String job) {
        assertThat(engine.cancel(new JobId(job), "before")).isEqualTo(new CommandReply.Done(true));
        awaitFinal(job);
    }

    private void awaitFinal(String job) {
        assertThat(engine.awaitEnd(new JobId(job), Await.longest())).as(job).isTrue();
    }

    private JobRow row(String job) {
        return store.find(new JobId(job)).orElseThrow();
    }

    private JsonObject cancel(String job, Optional<String> behind) {
        var part = new PageRequest("tree of " + job, LIMIT, behind);
        var tree = new TreeCancel(engine, store, "enough", part);
        var next = tree.cancel(row(job));
        return tree.tally().answer(next);
    }

    /// What each request for the tree of `job` answers, until one is complete.
    private List<JsonObject> cancelAll(String job) {
        var answers = new ArrayList<JsonObject>();
        var behind = Optional.<String>empty();
        do {
            var answer = cancel(job, behind);
            answers.add(answer);
            behind = answer.string("next_cursor").map(cursor -> placeOf(job, cursor));
        } while (behind.isPresent() && answers.size() <= IN_TREE);
        return answers;
    }

    private static String placeOf(String job, String cursor) {
        var text = new String(Base64.getUrlDecoder().decode(cursor), UTF_8);
        return text.substring(("tree of " + job + ":").length());
    }

    private static long sum(List<JsonObject> answers, String name) {
        return answers.stream().mapToLong(answer -> number(answer, name)).sum();
    }

    private static long number(JsonObject answer, String name) {
        return answer.number(name).orElseThrow().asLong();
    }

    @Test
    void aLargeTree_isCancelledByRequestsThatEachGoOnBehindTheLast() {
        var answers = cancelAll(root);

        assertThat(sum(answers, "done")).isEqualTo(IN_TREE);
        assertThat(answers.getLast().string("next_cursor")).isEmpty();
        assertThat(answers.subList(0, answers.size() - 1))
                .isNotEmpty()
                .allSatisfy(answer -> assertThat(answer.string("next_cursor")).isPresent());
        tree(root).forEach(this::awaitFinal);
        assertThat(tree(another)).noneMatch(job -> row(job).isFinal());
    }

    /// Trap: one request looks at each of a million jobs that are over.
    @Test
    void jobsThatAreOver_countAsLookedAt_andTheNextRequestGoesOnBehindThem() {
        var last = tree(root).getLast();
        tree(root).stream().filter(job -> !job.equals(last)).forEach(this::end);

        var answers = cancelAll(root);

        assertThat(answers)
                .hasSizeGreaterThanOrEqualTo(IN_TREE / LIMIT)
                .allSatisfy(answer ->
                        assertThat(number(answer, "done") + number(answer, "over"))
                                .isLessThanOrEqualTo(LIMIT));
        assertThat(sum(answers, "done")).isEqualTo(1);
        assertThat(sum(answers, "over")).isEqualTo(IN_TREE - 1);
        awaitFinal(last);
    }

    @Test
    void aCursorThatNamesNoJobOfTheTree_isRefused_andNothingIsCancelled() {
        for (var behind : List.of(root, tree(root).get(1), "nobody")) {
            assertThatExceptionOfType(HttpRefusal.class)
                    .as(behind)
                    .isThrownBy(() -> cancel(another, Optional.of(behind)))
                    .satisfies(refusal ->
                            assertThat(refusal.reason().string("detail").orElse(""))
                                    .contains("job " + behind)
                                    .contains("send the request without cursor"));
        }
        assertThat(tree(another)).noneMatch(job -> row(job).isFinal());
    }
}
