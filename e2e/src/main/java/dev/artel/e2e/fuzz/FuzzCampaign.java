package dev.artel.e2e.fuzz;

import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/// Hostile workers on one wire against a server in a process of its own, beside one that keeps to the protocol; and then a look at what is left of them. The same
/// seed sends the same frames, as far as these do not depend on the tasks that their senders get; how those of several senders mix is up to the machine.
final class FuzzCampaign {
    /// How many hostile ones there are.
    static final int LANES = 4;

    /// Before the first look, so that classes are loaded and pools are as large as they get.
    private static final long WARM_UP = 4_000;

    /// How many jobs show how fast the machine is without hostile frames; the first tenth is not counted.
    private static final int JOBS_ALONE = 200;

    private static final Duration LONGEST_SETTLING = Duration.ofSeconds(90);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final long MORE_HEAP = 32L << 20;
    private static final int MORE_DESCRIPTORS = 8;
    private static final int MORE_THREADS = 12;

    /// Whatever frames make a server log, they must not fill its disk: so many lines at once, and more of them with the time.
    private static final int MOST_LINES = 2_000;

    /// 120 tokens that are refused, 100 messages that are none, and what else is new.
    private static final int MOST_LINES_PER_MINUTE = 300;

    /// Threads that end when there is nothing to do: those of pools, of handlers and of the JDK.
    private static final Pattern POOLED =
            Pattern.compile(".*\\d.*|artel-handler-.*|process_reaper");

    private static final int MOST_OF_A_LINE = 600;

    private final FuzzedWire wire;
    private final long frames;
    private final long seed;
    private final Consumer<String> progress;
    private final FuzzFindings findings = new FuzzFindings();
    private final Tally tally = new Tally();

    /// What was found.
    ///
    /// @param findings what is wrong, a line each
    /// @param outcomes what became of frames
    /// @param frames how many were sent
    /// @param times of the jobs of the worker that keeps to the protocol: how long each took meanwhile
    /// @param timesAlone the same, before any frame was sent
    record Report(
            List<String> findings,
            SortedMap<String, Long> outcomes,
            long frames,
            Latencies times,
            Latencies timesAlone,
            HeldByServer before,
            HeldByServer after) {}

    /// @param progress takes a line now and then
    FuzzCampaign(FuzzedWire wire, long frames, long seed, Consumer<String> progress) {
        this.wire = wire;
        this.frames = frames;
        this.seed = seed;
        this.progress = progress;
    }

    /// Runs it.
    ///
    /// @param folder for data and logs
    Report run(Path folder) throws IOException, InterruptedException {
        var begun = Instant.now();
        try (var server = ServerUnderFuzz.start(wire, folder)) {
            HeldByServer before;
            HeldByServer after;
            Latencies alone;
            Latencies times;
            long sent;
            try (var bystander = new Bystander(server.address(), wire, findings)) {
                alone = bystander.alone(JOBS_ALONE);
                var _ = attack(server, bystander, ~seed, Math.min(frames, WARM_UP));
                before = settled(server);
                progress.accept("before: " + before);
                bystander.measureAnew();
                sent = attack(server, bystander, seed, frames);
                times = bystander.measureAnew();
                after = compared(server, before);
                progress.accept("after:  " + after);
            }
            lookAtThreads(before, after);
            lookAtLog(server.log(), Duration.between(begun, Instant.now()).toMinutes());
            if (times.count() == 0) {
                findings.add("no job of the worker that keeps to the protocol was done");
            }
            return new Report(findings.lines(), tally.all(), sent, times, alone, before, after);
        }
    }

    private HostileLane lane(ServerUnderFuzz.Address address, HostileJson json) throws IOException {
        return switch (wire) {
            case HTTP -> new HostileHttp(address.port(), json, findings, tally);
            case WS -> new HostileSocket(address.port(), json, findings, tally);
            case ZEROMQ -> new HostilePush(address, json, findings, tally);
            case RABBITMQ -> new HostileAgent(address, json, tally);
            case REDIS -> new HostileSubmitter(address, json, tally);
        };
    }

    private long attack(ServerUnderFuzz server, Bystander bystander, long from, long count)
            throws IOException, InterruptedException {
        var sent = new AtomicLong();
        try (var threads =
                Executors.newThreadPerTaskExecutor(
                        Thread.ofPlatform().name("lane-", 0).factory())) {
            var lanes = new ArrayList<Future<?>>();
            var root = new SplittableRandom(from);
            for (var i = 0; i < LANES; i++) {
                var json = new HostileJson(root.split(), i, bystander);
                lanes.add(
                        threads.submit(() -> {
                            try (var lane = lane(server.address(), json)) {
                                for (var own = 0L; own < count / LANES; ) {
                                    var fired = lane.fire();
                                    own += fired;
                                    report(sent.addAndGet(fired), fired);
                                }
                            }
                            return null;
                        }));
            }
            for (var each : lanes) {
                each.get();
            }
        } catch (ExecutionException failed) {
            throw new IOException(
                    "hostile frames could not be sent: " + failed.getCause(), failed.getCause());
        }
        return sent.get();
    }

    private void report(long sent, int fired) {
        if (sent / 50_000 != (sent - fired) / 50_000) {
            var found = String.join("; ", findings.lines());
            progress.accept(
                    sent
                            + " frames"
                            + (found.isEmpty() ? "" : ", found so far: ")
                            + found.substring(0, Math.min(MOST_OF_A_LINE, found.length())));
        }
    }

    /// Waits until the hostile workers are gone, and nothing changes any more.
    private HeldByServer settled(ServerUnderFuzz server) throws IOException, InterruptedException {
        var deadline = System.nanoTime() + LONGEST_SETTLING.toNanos();
        var last = server.vitals();
        while (true) {
            Thread.sleep(PAUSE);
            var next = server.vitals();
            if (workers(server).equals(List.of(ServerUnderFuzz.GOOD))
                    && next.descriptors() >= last.descriptors()) {
                return next;
            }
            if (System.nanoTime() > deadline) {
                findings.add("the server does not settle: " + workers(server) + ", " + next);
                return next;
            }
            last = next;
        }
    }

    /// Waits until all is as before.
    private HeldByServer compared(ServerUnderFuzz server, HeldByServer before)
            throws IOException, InterruptedException {
        var deadline = System.nanoTime() + LONGEST_SETTLING.toNanos();
        while (true) {
            var now = server.vitals();
            var more = more(before, now);
            var workers = workers(server);
            if (!workers.equals(List.of(ServerUnderFuzz.GOOD))) {
                more.add("these workers are still there: " + workers);
            }
            if (more.isEmpty()) {
                return now;
            }
            if (System.nanoTime() > deadline) {
                more.forEach(findings::add);
                return now;
            }
            Thread.sleep(PAUSE);
        }
    }

    private static List<String> more(HeldByServer before, HeldByServer now) {
        var more = new ArrayList<String>();
        if (now.heap() > before.heap() + MORE_HEAP) {
            more.add("the heap has grown from " + before.heap() + " to " + now.heap() + " bytes");
        }
        if (now.descriptors() > before.descriptors() + MORE_DESCRIPTORS) {
            more.add(
                    "open files have grown from "
                            + before.descriptors()
                            + " to "
                            + now.descriptors());
        }
        if (now.threads() > before.threads() + MORE_THREADS) {
            more.add("threads have grown from " + before.threads() + " to " + now.threads());
        }
        return more;
    }

    private void lookAtThreads(HeldByServer before, HeldByServer after) {
        var gone = new TreeSet<>(before.names());
        gone.removeAll(after.names());
        gone.removeIf(name -> POOLED.matcher(name).matches());
        gone.forEach(name -> findings.add("the thread " + name + " has ended"));
    }

    private void lookAtLog(List<String> lines, long minutes) {
        lines.stream()
                .filter(line -> line.startsWith("ERROR ") || line.startsWith("Exception in thread"))
                .forEach(line -> findings.add("the server logged an error", line));
        if (lines.size() > MOST_LINES + MOST_LINES_PER_MINUTE * minutes) {
            findings.add(
                    "hostile frames made the server log " + lines.size() + " lines",
                    lines.getLast());
        }
    }

    private static List<String> workers(ServerUnderFuzz server)
            throws IOException, InterruptedException {
        var address = server.address();
        try (var http = HttpClient.newHttpClient()) {
            var request =
                    HttpRequest.newBuilder(address.http().resolve(URI.create("/api/v1/workers")))
                            .header("Authorization", "Bearer " + address.clientToken())
                            .timeout(Duration.ofSeconds(20))
                            .build();
            var page =
                    (JsonObject)
                            JsonText.read(
                                    http.send(request, HttpResponse.BodyHandlers.ofByteArray())
                                            .body());
            return page.array("items").orElseThrow().values().stream()
                    .map(worker -> ((JsonObject) worker).string("worker_id").orElse("?"))
                    .toList();
        }
    }
}
