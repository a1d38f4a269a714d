package dev.artel.benchmarks;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Jobs of many parallel tasks `noop` and their join.
final class FanoutLoad {
    private static final int RUNS = 3;

    private FanoutLoad() {}

    /// Has one done.
    ///
    /// @return how many seconds it took from its submission to its end
    static double seconds(HttpClient client, int tasks) throws IOException {
        var began = System.nanoTime();
        TestCluster.finished(client, submit(client, tasks));
        return (System.nanoTime() - began) / 1e9;
    }

    /// What is answered to the submission of one.
    static JsonObject submit(HttpClient client, int tasks) throws IOException {
        return client.post(
                "/api/v1/jobs",
                JsonObject.of(
                        "blueprint",
                        JsonValue.of("fanout"),
                        "initial_data",
                        JsonObject.of("count", JsonValue.of(tasks))));
    }

    /// How many tasks a second each of three jobs has, after a warm-up.
    static List<Double> rates(LoadedServer server, int tasks, int warmUps, Size size)
            throws IOException {
        var rates = new ArrayList<Double>();
        try (var client = server.client()) {
            for (var i = 0; i < size.runs(warmUps); i++) {
                seconds(client, tasks);
            }
            for (var i = 0; i < size.runs(RUNS); i++) {
                rates.add(tasks / seconds(client, tasks));
            }
        }
        return rates;
    }
}
