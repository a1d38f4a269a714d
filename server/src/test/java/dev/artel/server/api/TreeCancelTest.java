package dev.artel.server.api;

import static dev.artel.testkit.store.SampleAppends.PLAIN;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.engine.Engine;
import dev.artel.kernel.job.JobId;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.SampleAppends;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class TreeCancelTest {
    private static final int MOST = 3;

    private final InMemoryEventStore store = new InMemoryEventStore();
    private final Map<String, SampleAppends> jobs = new LinkedHashMap<>();
    private final List<String> cancelled = new ArrayList<>();

    /// An engine whose jobs end as soon as they are cancelled.
    private final Engine engine =
            (Engine)
                    Proxy.newProxyInstance(
                            Engine.class.getClassLoader(),
                            new Class<?>[] {Engine.class},
                            (_, method, arguments) ->
                                    switch (method.getName()) {
                                        case "cancel" -> end(((JobId) arguments[0]).value());
                                        default ->
                                                throw new UnsupportedOperationException(
                                                        method.getName());
                                    });

    private CommandReply end(String job) {
        cancelled.add(job);
        store.append(List.of(Objects.requireNonNull(jobs.get(job)).end(job, 2)));
        return new CommandReply.Done(true);
    }

    private void submit(String job, SampleAppends as) {
        jobs.put(job, as);
        store.append(List.of(as.submit(job)));
    }

    private JsonObject cancelTree() {
        var root = store.find(new JobId("root")).orElseThrow();
        return new TreeCancel(engine, store, "enough", MOST).cancel(root);
    }

    /// Trap: each request begins with the same jobs, which are over by now, and the rest of a large tree is never reached.
    @Test
    void aTreeWithMoreJobsThanOneRequestCancels_isCompleteAfterSomeRequests() {
        submit("root", PLAIN);
        for (var child : List.of("a", "b", "c")) {
            submit(child, PLAIN.withParent("root"));
            submit(child + "1", PLAIN.withParent(child));
            submit(child + "2", PLAIN.withParent(child));
        }

        assertThat(new String(JsonText.write(cancelTree()), UTF_8))
                .contains("\"cancelled\":3,\"already_over\":0,\"complete\":false");
        var requests = 1;
        while (cancelled.size() < jobs.size() && requests < jobs.size()) {
            cancelTree();
            requests++;
        }

        assertThat(requests).isEqualTo(4);
        assertThat(cancelled).containsExactlyInAnyOrderElementsOf(jobs.keySet());
        assertThat(cancelled.getFirst()).isEqualTo("root");
        assertThat(new String(JsonText.write(cancelTree()), UTF_8))
                .contains("\"cancelled\":0,\"already_over\":10,\"complete\":true");
        assertThat(cancelled).hasSize(jobs.size());
    }
}
