package dev.artel.server.tasks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.gateway.http.GatewayConfig;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import dev.artel.server.samples.SampleBlueprints;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/// Tasks of workers that take none that is not signed.
final class SignedTasksTest {
    private static final String KEY = "task-secret-key-of-the-tests";

    /// As such workers do it: what they know of a task, sorted, without null.
    private static String signature(JsonObject task) throws Exception {
        var known = JsonObject.builder();
        for (var name :
                List.of(
                        "job_id",
                        "task_id",
                        "type",
                        "params",
                        "tracing_context",
                        "priority",
                        "deadline")) {
            task.get(name).ifPresent(value -> known.put(name, value));
        }
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(KEY.getBytes(UTF_8), "HmacSHA256"));
        return HexFormat.of().formatHex(mac.doFinal(sorted(known.build()).getBytes(UTF_8)));
    }

    private static String sorted(JsonValue value) {
        if (!(value instanceof JsonObject object)) {
            return value.toString();
        }
        var members = new TreeMap<>(object.members());
        members.values().removeIf(JsonNull.class::isInstance);
        return members.entrySet().stream()
                .map(member -> "\"" + member.getKey() + "\":" + sorted(member.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    @Test
    void aTask_isSigned_whereAKeyIsSet_andTheWorkerComputesTheSame() throws Exception {
        var config = TestNodes.CONFIG.withGateway(GatewayConfig.DEFAULTS.withTaskSecretKey(KEY));
        try (var node = ArtelNode.start(config, SampleBlueprints.all(), TestNodes.storage())) {
            var worker = new TestWorker(node, "w1", "echo");
            TestClient.of(node)
                    .submit(
                            "{\"blueprint\":\"echo\",\"priority\":2.5,\"initial_data\":{\"b\":[1,\"\u00fc\"],\"a\":{\"z\":null,\"y\":0.5}}}");

            var task = worker.next();

            assertThat(task.string("sig")).contains(signature(task));
        }
    }

    @Test
    void withoutAKey_noTaskIsSigned() {
        try (var node = TestNodes.inMemory()) {
            var worker = new TestWorker(node, "w1", "echo");
            TestClient.of(node).submit("{\"blueprint\":\"echo\"}");

            assertThat(worker.next().has("sig")).isFalse();
        }
    }
}
