package dev.artel.benchmarks;

import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.guard.Guards;
import dev.artel.kernel.task.TaskSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The page of a job in the dashboard, in a Chromium without a window: of a job with 10,000 events, of one with 1,000,000, and of one with 100,000 tasks
/// that wait. Workers have done the tasks; the server is a process with the flags of `./artel up` and its store on the disk. Each visit is a first one,
/// with nothing in the cache. A page is interactive when its graph and its timeline are drawn and its menu has opened on a click.
final class PageBenchmark implements Benchmark {
    private static final int TASKS_OF_A_ROUND = 100_000;
    private static final int ROUNDS = 5;
    private static final int FEW = 4_990;
    private static final int SLOTS = 64;
    private static final int RUNS = 5;
    private static final List<String> KINDS = List.of("few", "many", "waiting");
    private static final String ROUNDS_LEFT = "rounds";

    /// Counted from the beginning of the navigation, in milliseconds.
    private static final String UNTIL_INTERACTIVE =
            """
            window.artelPage = new Promise((done) => {
              const has = (selector) => document.querySelector(selector);
              const look = () => {
                const menu = has("[data-test=job-menu]");
                if (!menu || !has("[data-test=gantt] .piece") || !has("[data-test=graph] svg") || has("main .spin, main [aria-busy=true]")) {
                  requestAnimationFrame(look);
                  return;
                }
                menu.click();
                const opened = () => (has("[role=menuitem]") ? done(performance.now()) : requestAnimationFrame(opened));
                opened();
              };
              look();
            });
            """;

    /// `SHOWN` is a condition.
    private static final String UNTIL_SHOWN =
            """
            new Promise((done) => {
              const began = performance.now();
              ACT;
              const look = () => ((SHOWN) && !document.querySelector("main .spin, main [aria-busy=true]") ? done(performance.now() - began) : requestAnimationFrame(look));
              look();
            })
            """;

    private final SequencedMap<String, List<Double>> millis = new LinkedHashMap<>();
    private final List<BenchmarkResult> results = new ArrayList<>();

    @Override
    public String name() {
        return "page";
    }

    @Override
    public List<String> metrics() {
        return Stream.concat(
                        Stream.of("fill_seconds"),
                        KINDS.stream()
                                .flatMap(kind ->
                                        Stream.of(
                                                        "_events",
                                                        "_interactive_ms",
                                                        "_tasks_ms",
                                                        "_events_ms",
                                                        "_last_event_ms",
                                                        "_data_ms")
                                                .map(kind::concat)))
                .toList();
    }

    /// As many rounds of as many parallel tasks as its data set, then a wait for a signal.
    static Blueprint blueprint() {
        return Blueprint.named("rounds")
                .guards(Guards.DEFAULTS.withHistory(Integer.MAX_VALUE / 2))
                .start("spread", PageBenchmark::spread)
                .leadingTo("joined")
                .state("joined", PageBenchmark::joined)
                .leadingTo("spread", "end")
                .end("end")
                .build();
    }

    private static Action spread(Step step) {
        var left = number(step, ROUNDS_LEFT);
        var type = step.text("type");
        return Action.dispatchParallel(
                        IntStream.range(0, number(step, "tasks"))
                                .mapToObj(
                                        n -> TaskSpec.of(type, JsonObject.of("n", JsonValue.of(n))))
                                .toList(),
                        "joined")
                .with(JsonObject.of(ROUNDS_LEFT, JsonValue.of(left - 1)));
    }

    private static Action joined(Step step) {
        return number(step, ROUNDS_LEFT) > 0
                ? Action.transitionTo("spread")
                : Action.awaitSignal("go", "end");
    }

    private static int number(Step step, String name) {
        return step.value(name)
                .filter(JsonNumber.class::isInstance)
                .map(value -> (int) ((JsonNumber) value).asLong())
                .orElseThrow();
    }

    @Override
    public Optional<String> missing() {
        return Chromium.isInstalled()
                ? Optional.empty()
                : Optional.of(
                        "a Chromium (Debian: chromium; JDK_JAVA_OPTIONS=-Dchromium=PATH selects"
                                + " another one)");
    }

    @Override
    public List<BenchmarkResult> run(Size size) throws Exception {
        try (var server = LoadedServer.start(ServerProcess.ZEROMQ);
                var client = server.client()) {
            var tasks = size.of(TASKS_OF_A_ROUND, 20);
            var jobs = new LinkedHashMap<String, String>();
            try (var worker =
                    ChildProcess.start(
                            NoopWorker.class,
                            List.of("-Xmx256m", "-XX:+UseSerialGC"),
                            server.address("zmq"),
                            server.workerToken(),
                            Integer.toString(SLOTS))) {
                worker.line();
                jobs.put("few", done(client, size.fixed(FEW, 20), 1));
                var began = System.nanoTime();
                jobs.put("many", done(client, tasks, ROUNDS));
                once("fill_seconds", "s", (System.nanoTime() - began) / 1e9);
            }
            jobs.put("waiting", submit(client, "nobody", tasks, 1));
            for (var job : jobs.entrySet()) {
                once(job.getKey() + "_events", "", events(client, job.getValue()));
            }
            try (var chromium = Chromium.start()) {
                for (var run = 0; run <= size.runs(RUNS); run++) {
                    if (run == 1) {
                        // The first one warms the server up.
                        millis.clear();
                    }
                    for (var job : jobs.entrySet()) {
                        visit(chromium, server, client, job.getKey(), job.getValue());
                    }
                }
            }
        }
        millis.forEach((metric, runs) ->
                results.add(
                        new BenchmarkResult(
                                name(), metric, "ms", BenchmarkResult.Better.LOWER, runs)));
        return results;
    }

    private void once(String metric, String unit, double value) {
        results.add(
                new BenchmarkResult(
                        name(), metric, unit, BenchmarkResult.Better.LOWER, List.of(value)));
    }

    private static String submit(HttpClient client, String type, int tasks, int rounds)
            throws IOException {
        return client.post(
                        "/api/v1/jobs",
                        JsonObject.of(
                                "blueprint",
                                JsonValue.of("rounds"),
                                "initial_data",
                                JsonObject.builder()
                                        .put("type", type)
                                        .put("tasks", JsonValue.of(tasks))
                                        .put(ROUNDS_LEFT, JsonValue.of(rounds))
                                        .build()))
                .string("job_id")
                .orElseThrow();
    }

    private static String done(HttpClient client, int tasks, int rounds) throws IOException {
        var job = submit(client, "noop", tasks, rounds);
        var status = "";
        while (!status.equals("waiting_for_signal")) {
            if (List.of("failed", "quarantined").contains(status)) {
                throw new IllegalStateException("job " + job + " is " + status);
            }
            // A wait for its end, which does not come, paces the questions.
            status = client.get("/api/v1/jobs/" + job + "?wait=1").string("status").orElseThrow();
        }
        return job;
    }

    private static double events(HttpClient client, String job) throws IOException {
        return client.get("/api/v1/jobs/" + job + "?fields=version")
                .number("version")
                .map(JsonNumber::asDouble)
                .orElseThrow();
    }

    private void visit(
            Chromium chromium, LoadedServer server, HttpClient client, String kind, String job)
            throws IOException {
        try (var page = chromium.visit()) {
            var link =
                    client.post("/ui/session/links", JsonObject.EMPTY).string("url").orElseThrow();
            page.go(link);
            var question = "document.querySelector('[data-test=log-in]')";
            page.value(shown("", question));
            page.value(
                    shown(question + ".click()", "document.querySelector('main h1:not(.brand)')"));
            page.go("about:blank");
            page.forget();
            page.before(UNTIL_INTERACTIVE);
            page.go("http://127.0.0.1:" + server.port() + "/#/jobs/" + job);
            add(kind + "_interactive_ms", page.value("window.artelPage"));

            var tab = "location.hash = '#/jobs/" + job + "?tab=%s'";
            add(
                    kind + "_tasks_ms",
                    page.value(
                            shown(
                                    tab.formatted("tasks"),
                                    "document.querySelector('[data-test=task]')")));
            add(
                    kind + "_events_ms",
                    page.value(
                            shown(
                                    tab.formatted("events"),
                                    "document.querySelector('[data-test=event]')")));
            var last =
                    "[...document.querySelectorAll('[data-test=event] .num')].at(-1)?.textContent =="
                            + (long) events(client, job);
            add(
                    kind + "_last_event_ms",
                    page.value(shown("document.querySelector('[data-test=last]').click()", last)));
            add(
                    kind + "_data_ms",
                    page.value(
                            shown(
                                    tab.formatted("data"),
                                    "document.querySelector('[data-test=data] li')")));
        }
    }

    private static String shown(String act, String condition) {
        return UNTIL_SHOWN.replace("ACT", act).replace("SHOWN", condition);
    }

    private void add(String metric, JsonValue value) {
        millis.computeIfAbsent(metric, _ -> new ArrayList<>()).add(((JsonNumber) value).asDouble());
    }
}
