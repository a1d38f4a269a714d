package dev.artel.benchmarks;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Runs benchmarks by name: `bench NAME... [--json FILE]`; `all` runs each.
final class Benchmarks {
    private static final List<Benchmark> ALL =
            List.of(
                    new EngineBenchmark(),
                    new HttpBenchmark(),
                    new DashboardsBenchmark(),
                    new WiresBenchmark(),
                    new WebSocketBenchmark(),
                    new ZeroMqBenchmark(),
                    new MindBusBenchmark(),
                    new CardsBenchmark(),
                    new FanoutBenchmark(),
                    new RecoveryBenchmark(),
                    new IdleBenchmark(),
                    new StartBenchmark(),
                    new MillionBenchmark(),
                    new DispatchBenchmark(),
                    new BacklogBenchmark(),
                    new QueueBenchmark(),
                    new LongJobBenchmark(),
                    new PageBenchmark(),
                    new BesideBenchmark(),
                    new FunctionBenchmark(),
                    new SimBenchmark());

    private Benchmarks() {}

    public static void main(String[] args) throws Exception {
        var names = new ArrayList<String>();
        Path json = null;
        for (var i = 0; i < args.length; i++) {
            if (args[i].equals("--json") && i + 1 < args.length) {
                json = Path.of(args[++i]);
            } else {
                names.add(args[i]);
            }
        }
        var chosen =
                ALL.stream()
                        .filter(each -> names.contains("all") || names.contains(each.name()))
                        .toList();
        if (chosen.isEmpty()) {
            ChildProtocol.send(
                    "bench: name one or more of all, "
                            + String.join(", ", ALL.stream().map(Benchmark::name).toList())
                            + "; --json FILE keeps the results");
            System.exit(2);
        }
        var results = new ArrayList<BenchmarkResult>();
        for (var benchmark : chosen) {
            for (var result : benchmark.run()) {
                results.add(result);
                ChildProtocol.send(row(result));
            }
        }
        if (json != null) {
            Files.write(json, JsonText.write(document(results)));
        }
        System.exit(0);
    }

    private static String row(BenchmarkResult result) {
        return String.format(
                Locale.ROOT,
                "%-9s %-28s %14.3f %-6s runs %s",
                result.benchmark(),
                result.metric(),
                result.value(),
                result.unit(),
                result.runs().stream()
                        .map(run -> String.format(Locale.ROOT, "%.3f", run))
                        .toList());
    }

    private static JsonObject document(List<BenchmarkResult> results) {
        return JsonObject.of(
                "results",
                new JsonArray(results.stream().<JsonValue>map(BenchmarkResult::json).toList()));
    }
}
