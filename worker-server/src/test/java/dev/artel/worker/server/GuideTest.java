package dev.artel.worker.server;

import static dev.artel.waits.Await.await;
import static dev.artel.worker.server.hub.HubFixture.capabilities;
import static dev.artel.worker.server.hub.HubFixture.registration;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.worker.server.hub.DispatchRequest;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The code of the guide to a worker server of one's own.
final class GuideTest {
    private static final Logger LOG = LoggerFactory.getLogger(GuideTest.class);

    static WorkerServer serve() {
        var server = new WorkerServer(WorkerServerOptions.onPort(0).withToken("secret"));
        server.hub().onConnected(worker -> LOG.info("{} is there", worker.id()));
        server.hub()
                .onMessage(
                        "work_complete",
                        event -> {
                            if (event.complete()) {
                                LOG.info(
                                        "{} has done {}",
                                        event.worker().id(),
                                        event.requestId().orElse("?"));
                            }
                        });
        server.hub()
                .onOrphaned(request ->
                        LOG.warn("nobody does {}: {}", request.requestId(), request.reason()));
        server.start();
        return server;
    }

    static boolean ask(WorkerServer server, String prompt) {
        var message =
                JsonObject.of("type", JsonValue.of("work_request"), "prompt", JsonValue.of(prompt));
        return server.hub()
                .dispatch(DispatchRequest.of("sonnet", message).withCategory("interactive"))
                .isPresent();
    }

    @Test
    void theTwentyLines_haveWorkDone() {
        try (var server = serve()) {
            var worker =
                    TestWorker.open(server)
                            .registers(
                                    registration("mac-1", capabilities(1, "sonnet"))
                                            .with("authToken", JsonValue.of("secret")));

            assertThat(ask(server, "hello")).isTrue();
            assertThat(ask(server, "a second one")).isFalse();
            var request = worker.next();
            assertThat(request.string("prompt")).contains("hello");
            worker.sends(
                    JsonObject.of(
                            "type",
                            JsonValue.of("work_complete"),
                            "requestId",
                            JsonValue.of(request.string("requestId").orElseThrow())));
            await().until(() -> server.hub().availableSlots("sonnet") == 1);
            assertThat(server.hub().worker("mac-1").orElseThrow().requests().completed())
                    .isEqualTo(1);
        }
    }
}
