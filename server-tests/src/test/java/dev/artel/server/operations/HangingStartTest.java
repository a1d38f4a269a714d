package dev.artel.server.operations;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.kernel.store.EventStore;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.wiring.Storage;
import dev.artel.testkit.port.FreePort;
import dev.artel.testkit.store.ForwardingEventStore;
import dev.artel.waits.Await;
import java.net.URI;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The store hangs while open jobs are taken up.
@Timeout(Await.HUNG)
final class HangingStartTest {
    private final CountDownLatch hanging = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    /// Trap: a start that hangs reports forever that open jobs are being taken up.
    @Test
    void aStartThatHangs_isNamedInTheReadiness_withItsStack_andGoesOn() throws Exception {
        var all = TestNodes.storage();
        var storage =
                new Storage(
                        hanging(all.events()),
                        all.payloads(),
                        all.objects(),
                        all.fleet(),
                        all.dataStores());
        var port = FreePort.next();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var start =
                    threads.submit(() ->
                            ArtelNode.start(
                                    TestNodes.CONFIG.withPort(port), Blueprints.of(), storage));
            try {
                hanging.await();
                var client =
                        new TestClient(
                                URI.create("http://127.0.0.1:" + port), "X-Client-Token", "none");

                assertThat(client.get("/readyz").text())
                        .contains("starting: open jobs are being taken up");
                await().untilAsserted(() -> {
                    var ready = client.get("/readyz");
                    assertThat(ready.status()).isEqualTo(503);
                    assertThat(ready.text())
                            .contains("artel-recovery has been at the same thing for")
                            .contains("HangingStartTest.hang");
                });
                assertThat(client.get("/healthz").status()).as("not yet").isEqualTo(200);
                goOn.countDown();

                try (var node = start.get()) {
                    await().untilAsserted(() ->
                            assertThat(TestClient.of(node).get("/readyz").status()).isEqualTo(200));
                }
            } finally {
                goOn.countDown();
            }
        }
    }

    /// The same store, which hangs where the open jobs are read, until the test lets it go on.
    private EventStore hanging(EventStore store) {
        return new ForwardingEventStore(store) {
            @Override
            public OpenTails openTails(long after, int limit, long bytes) {
                hang();
                return super.openTails(after, limit, bytes);
            }
        };
    }

    private void hang() {
        hanging.countDown();
        try {
            assertThat(goOn.await(Await.seconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
