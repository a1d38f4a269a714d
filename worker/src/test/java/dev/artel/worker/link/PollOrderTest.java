package dev.artel.worker.link;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.protocol.TaskAssignment;
import dev.artel.waits.Await;
import dev.artel.worker.wire.OrchestratorResponse;
import dev.artel.worker.wire.TaskWire;
import dev.artel.worker.wire.WireAddress;
import dev.artel.worker.wire.WireEvents;
import dev.artel.worker.wire.WireOperation;
import dev.artel.worker.wire.WireProvider;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A worker on its second wire, which polls, while the first one, which pushes, comes back.
@Timeout(Await.HUNG)
final class PollOrderTest {
    private static final Duration TIMEOUT = Await.longest();

    private final ScriptedWire first = new ScriptedWire(true);
    private final ScriptedWire second = new ScriptedWire(false);
    private final CopyOnWriteArrayList<String> held = new CopyOnWriteArrayList<>();

    /// Trap: the poll is over and its task is not taken in yet, the worker registers over its first wire without that task, and is
    /// asked to give it up with its next heartbeat.
    @Test
    void whatAPollBrings_isTheWorkersOwn_beforeItGoesBackToItsFirstWire() throws Exception {
        try (var client = client()) {
            first.isThere = false;
            var registered = client.register(introduction(), TIMEOUT);
            assertThat(registered.status()).isEqualTo(200);
            assertThat(client.isOnItsFirst()).isFalse();
            first.isThere = true;

            var polled = CompletableFuture.supplyAsync(() -> poll(client));
            assertThat(second.polls.await(Await.seconds(), TimeUnit.SECONDS)).isTrue();
            var back = CompletableFuture.runAsync(() -> goBack(client));
            second.task.complete("lease-1");
            polled.get(Await.seconds(), TimeUnit.SECONDS);
            back.get(Await.seconds(), TimeUnit.SECONDS);

            assertThat(first.registrations).containsExactly(List.of("lease-1"));
            assertThat(client.isOnItsFirst()).isTrue();
        }
    }

    private OrchestratorClient client() {
        return new OrchestratorClient(
                List.of(
                        new Orchestrator(URI.create("first://a"), "", first),
                        new Orchestrator(URI.create("second://b"), "", second)),
                "w1",
                LinkSettings.DEFAULTS,
                new NoEvents(),
                () -> {});
    }

    private OrchestratorClient.Introduction introduction() {
        return new OrchestratorClient.Introduction() {
            @Override
            public JsonObject introduction() {
                return JsonObject.EMPTY;
            }

            @Override
            public List<String> held() {
                return List.copyOf(held);
            }
        };
    }

    private OrchestratorClient.Polled poll(OrchestratorClient client) {
        try {
            return client.poll(1, -1, TIMEOUT, task -> held.add(task.lease()));
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private void goBack(OrchestratorClient client) {
        try {
            assertThat(client.goBack(introduction(), TIMEOUT)).isNotNull();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /// A wire that is there or not, as the test has it.
    private static final class ScriptedWire implements TaskWire, WireProvider {
        final List<List<String>> registrations = new ArrayList<>();
        final CountDownLatch polls = new CountDownLatch(1);
        final CompletableFuture<String> task = new CompletableFuture<>();
        volatile boolean isThere = true;
        private final boolean pushes;

        ScriptedWire(boolean pushes) {
            this.pushes = pushes;
        }

        @Override
        public String name() {
            return "scripted";
        }

        @Override
        public boolean pushes() {
            return pushes;
        }

        @Override
        public void probe(Duration timeout) throws IOException {
            if (!isThere) {
                throw new IOException("not there");
            }
        }

        @Override
        public OrchestratorResponse register(
                JsonObject introduction, List<String> leases, Duration timeout) throws IOException {
            probe(timeout);
            registrations.add(leases);
            return new OrchestratorResponse(200, "{}".getBytes(UTF_8), null);
        }

        @Override
        public OrchestratorResponse send(
                WireOperation operation, String taskId, byte[] body, Duration timeout) {
            return new OrchestratorResponse(200, "{}".getBytes(UTF_8), null);
        }

        @Override
        public OrchestratorResponse poll(
                int max, int inline, @Nullable Duration hold, Duration timeout)
                throws InterruptedException {
            polls.countDown();
            try {
                var lease = task.get(Await.seconds(), TimeUnit.SECONDS);
                var assignment =
                        new TaskAssignment(
                                "job",
                                lease,
                                "echo",
                                JsonObject.EMPTY,
                                JsonObject.EMPTY,
                                TaskAssignment.Terms.NONE);
                return new OrchestratorResponse(200, JsonText.write(assignment.toJson()), null);
            } catch (java.util.concurrent.ExecutionException
                    | java.util.concurrent.TimeoutException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void leave() {
            // There is nothing to leave.
        }

        @Override
        public void close() {
            // There is nothing to close.
        }

        @Override
        public Set<String> schemes() {
            return Set.of();
        }

        @Override
        public void check(URI uri) {
            // Each address will do.
        }

        @Override
        public Optional<URI> http(URI uri) {
            return Optional.empty();
        }

        @Override
        public TaskWire wire(WireAddress address, WireEvents events) {
            return this;
        }
    }

    private static final class NoEvents implements WireEvents {
        @Override
        public boolean pushed(TaskAssignment task) {
            return false;
        }

        @Override
        public void cancelled(String id) {
            throw new AssertionError("cancelled: " + id);
        }

        @Override
        public void lost(String lease, String reason) {
            throw new AssertionError("lost: " + lease);
        }

        @Override
        public void broken(TaskWire wire, String reason) {
            throw new AssertionError("broken: " + reason);
        }

        @Override
        public List<String> held() {
            return List.of();
        }

        @Override
        public void shutDown(String reason) {
            throw new AssertionError("shut down: " + reason);
        }
    }
}
