package dev.artel.server.workers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.fleet.Fleet;
import dev.artel.kernel.fleet.FleetChange;
import dev.artel.kernel.fleet.Registration;
import dev.artel.kernel.fleet.WorkerRecord;
import dev.artel.server.Answer;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import dev.artel.server.wiring.Storage;
import dev.artel.waits.Await;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The store of what is known of workers hangs; all else goes on.
@Timeout(Await.HUNG)
final class HangingFleetTest {
    private final CountDownLatch gate = new CountDownLatch(1);

    @Test
    void whileTheStoreHangs_workersAreHeard_getTheirTasks_andAreListed() throws Exception {
        var all = TestNodes.storage();
        var fleet = new GatedFleet(all.fleet());
        var storage =
                new Storage(all.events(), all.payloads(), all.objects(), fleet, all.dataStores());
        try (var node = TestNodes.on(storage);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var worker = new TestWorker(node, "w1", "echo");
            var client = TestClient.of(node);
            fleet.closed = gate;
            try {
                var late = threads.submit(() -> register(node, "w2"));
                fleet.hanging.await();

                assertThat(heartbeat(node, "w1").status()).isEqualTo(200);
                assertThat(client.get("/api/v1/workers").status()).isEqualTo(200);
                var job = client.post("/api/v1/jobs/echo", "{}");
                assertThat(job.status()).isEqualTo(202);
                var task = worker.next();
                assertThat(worker.report(task, JsonObject.EMPTY).status()).isEqualTo(200);
                Await.await("w2 is there already")
                        .until(() -> heartbeat(node, "w2").status(), status -> status == 200);

                var answer = late.get();
                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.object().string("warning").orElseThrow())
                        .contains("register again");
            } finally {
                gate.countDown();
            }
        }
        assertThat(fleet.registrations(10))
                .extracting(Registration::worker)
                .containsExactlyInAnyOrder(new WorkerId("w1"), new WorkerId("w2"));
    }

    private static Answer register(ArtelNode node, String name) {
        return new TestClient(node.uri(), "X-Worker-Token", node.workerToken())
                .post(
                        "/_worker/workers/register",
                        "{\"worker_id\":\"" + name + "\",\"supported_tasks\":[\"nothing\"]}");
    }

    private static Answer heartbeat(ArtelNode node, String name) {
        return new TestClient(node.uri(), "X-Worker-Token", node.workerToken())
                .send("PATCH", "/_worker/workers/" + name, "{\"load\":0}");
    }

    private static final class GatedFleet implements Fleet {
        private final Fleet fleet;
        private final CountDownLatch hanging = new CountDownLatch(1);
        private volatile CountDownLatch closed = new CountDownLatch(0);

        GatedFleet(Fleet fleet) {
            this.fleet = fleet;
        }

        @Override
        public List<WorkerRecord> apply(List<FleetChange> changes) {
            if (closed.getCount() > 0) {
                hanging.countDown();
            }
            try {
                closed.await();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(interrupted);
            }
            return fleet.apply(changes);
        }

        @Override
        public Optional<WorkerRecord> find(WorkerId worker) {
            return fleet.find(worker);
        }

        @Override
        public List<WorkerRecord> list(Optional<WorkerId> after, int limit) {
            return fleet.list(after, limit);
        }

        @Override
        public List<Registration> registrations(int limit) {
            return fleet.registrations(limit);
        }

        @Override
        public int forgetRegistrations(Set<WorkerId> needed, int most, long characters) {
            return fleet.forgetRegistrations(needed, most, characters);
        }

        @Override
        public int forget(Instant before, int limit) {
            return fleet.forget(before, limit);
        }

        @Override
        public int forget(List<WorkerRecord> records) {
            return fleet.forget(records);
        }
    }
}
