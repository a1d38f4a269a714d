package dev.artel.e2e.payloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.config.PayloadSettings;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.server.wiring.StartupException;
import dev.artel.worker.Result;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Large values in a bucket, over a real connection.
final class BucketTest {
    private static final JsonValue LARGE = JsonValue.of("x".repeat(200_000));

    private static S3Server server;

    @TempDir private Path folder;

    @BeforeAll
    static void start() throws Exception {
        server = S3Server.start();
    }

    @AfterAll
    static void stop() throws Exception {
        server.stop();
    }

    @Test
    void aLargeResult_isAnObjectOfTheBucket_andIsThereAfterARestart() throws Exception {
        var bucket = server.bucket("results").withPrefix("artel/");
        var payloads = PayloadSettings.DEFAULTS.withS3(_ -> bucket);
        String id;
        try (var node = new PayloadNode(folder.resolve("data"), payloads);
                var worker =
                        node.worker("w")
                                .handle(
                                        "echo",
                                        JsonObject.class,
                                        (_, _) -> Result.success(JsonObject.of("text", LARGE)))
                                .build()) {
            worker.start();
            id = node.submit("echo", JsonObject.EMPTY);
            node.await(id, "finished");
        }

        assertThat(server.objectsIn("results")).isPositive();
        assertThat(folder.resolve("data/payloads")).doesNotExist();
        try (var node = new PayloadNode(folder.resolve("data"), payloads)) {
            var result = node.job(id).object("result").orElseThrow();
            assertThat(result.get("text")).isEqualTo(Optional.of(LARGE));
        }
    }

    @Test
    void aBucketThatIsNotThere_isReportedAtTheStart() {
        var bucket = server.bucket("other").withBucket("missing");
        var payloads = PayloadSettings.DEFAULTS.withS3(_ -> bucket);

        assertThatThrownBy(() -> new PayloadNode(folder.resolve("data"), payloads).close())
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("opening bucket missing at http://127.0.0.1:")
                .hasMessageContaining("correct payloads.s3.bucket");
    }
}
