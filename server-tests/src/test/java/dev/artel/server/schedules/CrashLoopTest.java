package dev.artel.server.schedules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.supervision.EndOfProcess;
import dev.artel.server.supervision.Launch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CrashLoopTest {
    private static final Blueprint REPORT =
            Blueprint.named("report").start("begin", _ -> Action.finish(JsonObject.EMPTY)).build();

    private static final String EACH_SECOND = "/api/v1/schedules/each-second";

    @TempDir Path folder;

    /// Trap: a schedule ends the process at each start, before anybody can pause it.
    @Test
    void afterThreeEnds_schedulesWait_showWhy_andCanBePausedRunAndDeleted() throws Exception {
        var second = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        var lines = new StringBuilder();
        for (var ago : List.of(40, 20, 10)) {
            lines.append(second.minusSeconds(ago)).append(" * artel-schedules: an error\n");
        }
        Files.writeString(folder.resolve("deaths.txt"), lines);
        var launch =
                new Launch(
                        List.of(),
                        data -> EndOfProcess.supervising(data, System.err),
                        Optional.empty());

        try (var node =
                TestNodes.launched(
                        TestNodes.CONFIG.withData(folder), Blueprints.of(REPORT), launch)) {
            var client = TestClient.of(node);
            var written =
                    client.send(
                            "PUT",
                            EACH_SECOND,
                            "{\"blueprint\":\"report\",\"timing\":{\"every_seconds\":1}}");
            assertThat(written.status()).as(written.text()).isEqualTo(201);

            assertThat(client.get(EACH_SECOND).object().string("explanation"))
                    .hasValueSatisfying(why ->
                            assertThat(why)
                                    .startsWith(
                                            "Nothing runs until this is mended: the process ended")
                                    .contains("3 times in the last 30 minutes")
                                    .contains("artel-schedules: an error")
                                    .contains("can be paused or deleted"));
            var run = client.send("POST", EACH_SECOND + "/run", "{}");
            assertThat(run.status()).as(run.text()).isLessThan(300);
            var pause = client.send("POST", EACH_SECOND + "/pause", "{}");
            assertThat(pause.status()).as(pause.text()).isLessThan(300);
            assertThat(client.get(EACH_SECOND + "/runs").items())
                    .as("the one that was asked for")
                    .hasSize(1);
        }
    }
}
