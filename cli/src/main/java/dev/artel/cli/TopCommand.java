package dev.artel.cli;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// What goes on now, on one screen.
@Command(
        name = "top",
        description =
                "shows jobs, slots, queues with the reasons why tasks wait, and latencies, each second",
        mixinStandardHelpOptions = true)
final class TopCommand implements Callable<Integer> {
    private static final int MOST_ROWS = 12;
    private static final int SECONDS_OF_RATE = 60;

    private final CliContext context;

    @Mixin private CliConnection connection = new CliConnection();

    @Option(names = "--once", description = "prints it once, as it does where there is no terminal")
    private boolean isOnce;

    TopCommand(CliContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        if (connection.isJson()) {
            context.output()
                    .json(
                            connection.ask(
                                    context.environment(), api -> api.get("/api/v1/overview")));
            return 0;
        }
        return new LiveScreen(context)
                .show(
                        connection,
                        isOnce,
                        api -> lines(api.get("/api/v1/overview"), context.output()));
    }

    /// What `overview` has, safe to print whatever that is.
    static List<String> lines(JsonObject overview, CliOutput output) {
        var lines = new ArrayList<String>();
        lines.add("jobs      " + counts(overview.object("jobs").orElse(JsonObject.EMPTY)));
        lines.add("a minute  " + rates(overview.object("throughput").orElse(JsonObject.EMPTY)));
        lines.add("slots     " + slots(overview));
        lines.add("needs you " + counts(overview.object("needs").orElse(JsonObject.EMPTY)));
        lines.add("");
        var queues = new ArrayList<List<String>>();
        queues.add(List.of("TASK TYPE", "QUEUED", "LEASED", "OLDEST", "WHY THE MOST WAIT"));
        for (var queue : objects(overview, "queues")) {
            queues.add(
                    List.of(
                            queue.string("task_type").orElse("-"),
                            number(queue, "queued"),
                            number(queue, "leased"),
                            queue.number("oldest_seconds").isPresent()
                                    ? number(queue, "oldest_seconds") + " s"
                                    : "-",
                            reason(queue)));
        }
        lines.addAll(output.columns(most(queues)));
        lines.add("");
        var latencies = new ArrayList<List<String>>();
        latencies.add(List.of("TASK TYPE", "QUEUE p50", "p99", "EXECUTION p50", "p99", "COUNT"));
        for (var each : objects(overview, "latencies")) {
            latencies.add(
                    List.of(
                            each.string("task_type").orElse("-"),
                            millis(each, "queue_ms", "p50"),
                            millis(each, "queue_ms", "p99"),
                            millis(each, "execution_ms", "p50"),
                            millis(each, "execution_ms", "p99"),
                            number(each, "count")));
        }
        lines.addAll(output.columns(most(latencies)));
        return lines;
    }

    private static List<List<String>> most(List<List<String>> rows) {
        return rows.subList(0, Math.min(rows.size(), MOST_ROWS + 1));
    }

    private static String counts(JsonObject counts) {
        var text = new StringBuilder();
        counts.members().entrySet().stream()
                .filter(each ->
                        each.getValue() instanceof JsonNumber count && count.asDouble() != 0)
                .limit(MOST_ROWS)
                .forEach(each ->
                        text.append(text.isEmpty() ? "" : "   ")
                                .append(CliOutput.cell(each.getValue().toString()))
                                .append(' ')
                                .append(CliOutput.cell(each.getKey().replace('_', ' '))));
        return text.isEmpty() ? "none" : text.toString();
    }

    /// The sums of the last minute.
    private static String rates(JsonObject throughput) {
        var step = throughput.number("step_seconds").map(JsonNumber::asLong).orElse(1L);
        var steps = (int) Math.max(1, SECONDS_OF_RATE / Math.max(1, step));
        var text = new StringBuilder();
        for (var kind : List.of("submitted", "finished", "failed", "quarantined")) {
            var series = throughput.array(kind).map(JsonArray::values).orElse(List.of());
            var sum =
                    series.subList(Math.max(0, series.size() - steps), series.size()).stream()
                            .mapToDouble(each -> each instanceof JsonNumber n ? n.asDouble() : 0)
                            .sum();
            text.append(text.isEmpty() ? "" : "   ")
                    .append(String.format(Locale.ROOT, "%.0f %s", sum, kind));
        }
        return text.toString();
    }

    private static String slots(JsonObject overview) {
        var slots = overview.object("slots").orElse(JsonObject.EMPTY);
        var wires = overview.object("wires").orElse(JsonObject.EMPTY);
        return number(slots, "busy")
                + " of "
                + number(slots, "total")
                + " busy   "
                + number(slots, "workers")
                + (number(slots, "workers").equals("1") ? " worker (" : " workers (")
                + counts(wires)
                + ")   "
                + number(slots, "draining")
                + " draining";
    }

    private static String reason(JsonObject queue) {
        return objects(queue, "reasons").stream()
                .findFirst()
                .map(each ->
                        number(each, "count")
                                + ": "
                                + each.string("text").or(() -> each.string("reason")).orElse(""))
                .orElse("");
    }

    private static List<JsonObject> objects(JsonObject document, String member) {
        return document.array(member).map(JsonArray::values).orElse(List.of()).stream()
                .filter(JsonObject.class::isInstance)
                .map(JsonObject.class::cast)
                .toList();
    }

    private static String number(JsonObject document, String member) {
        return document.get(member).map(TopCommand::text).map(CliOutput::cell).orElse("0");
    }

    private static String text(JsonValue value) {
        return value instanceof JsonString(var plain) ? plain : value.toString();
    }

    private static String millis(JsonObject each, String kind, String quantile) {
        return Optional.of(each)
                .flatMap(it -> it.object(kind))
                .flatMap(it -> it.number(quantile))
                .map(it -> String.format(Locale.ROOT, "%.0f ms", it.asDouble()))
                .orElse("-");
    }
}
