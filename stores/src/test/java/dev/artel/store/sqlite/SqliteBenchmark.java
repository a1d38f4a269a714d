package dev.artel.store.sqlite;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.job.BlueprintRef;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.placement.Placement;
import dev.artel.kernel.store.Append;
import dev.artel.kernel.store.AppendResult.Appended;
import dev.artel.kernel.store.EventStore.EventPage;
import dev.artel.kernel.store.Expiry;
import dev.artel.kernel.store.JobFilter;
import dev.artel.kernel.store.JobQuery;
import dev.artel.kernel.store.JobRow;
import dev.artel.kernel.store.StreamId;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.store.codec.JsonEventCodec;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// How fast the store is: lives of jobs of one task, 5 appends with 12 events each, in batches.
///
/// Arguments: seconds, jobs at once (a batch is one append of each), jobs to leave open for the reading at the end.
final class SqliteBenchmark {
    private static final Instant AT = Instant.ofEpochMilli(1_767_225_600_000L);
    private static final int APPENDS = 5;
    private static final JsonObject PARAMS =
            JsonObject.of(
                    "url",
                    JsonValue.of("https://photos.example/albums/2026/summer/IMG_0001.jpg"),
                    "width",
                    JsonValue.of(640));

    private SqliteBenchmark() {}

    public static void main(String[] arguments) throws IOException {
        var seconds = Integer.parseInt(arguments[0]);
        var atOnce = Integer.parseInt(arguments[1]);
        var open = Integer.parseInt(arguments[2]);
        var folder = Files.createTempDirectory(Path.of("target"), "bench");
        codec();
        try (var store = SqliteEventStore.open(folder.resolve("artel.db"), new JsonEventCodec())) {
            append(store, "warm-up", 3, atOnce);
            append(store, "append", seconds, atOnce);
            leaveOpen(store, open);
            for (var i = 0; i < 3; i++) {
                read(store);
            }
        }
        var started = System.nanoTime();
        try (var store = SqliteEventStore.open(folder.resolve("artel.db"), new JsonEventCodec())) {
            print("open: %d ms", (System.nanoTime() - started) / 1_000_000);
            read(store);
            started = System.nanoTime();
            var removed = store.removeClosed(Expiry.before(AT.plusSeconds(100)), 50_000);
            print("removed %d in %d ms", removed, (System.nanoTime() - started) / 1_000_000);
        }
    }

    private static void codec() {
        var codec = new JsonEventCodec();
        for (var round = 0; round < 5; round++) {
            var started = System.nanoTime();
            var bytes = 0L;
            var events = 0;
            var encoded = new ArrayList<byte[]>();
            for (var i = 0; i < 20_000; i++) {
                for (var number = 0; number < APPENDS; number++) {
                    var list = events("job-" + i, number);
                    var text = codec.encode(list);
                    events += list.size();
                    bytes += text.length;
                    encoded.add(text);
                }
            }
            var between = System.nanoTime();
            encoded.forEach(codec::decode);
            var ended = System.nanoTime();
            print(
                    "codec: encode %,d events/s, decode %,d events/s, %d bytes an event",
                    events * 1_000_000_000L / (between - started),
                    events * 1_000_000_000L / (ended - between),
                    bytes / events);
        }
    }

    private static void append(SqliteEventStore store, String name, int seconds, int atOnce) {
        var end = System.nanoTime() + seconds * 1_000_000_000L;
        var started = System.nanoTime();
        var cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        var appends = 0L;
        var slowest = 0L;
        for (var round = 0; System.nanoTime() < end; round++) {
            for (var number = 0; number < APPENDS; number++) {
                var batch = new ArrayList<Append>(atOnce);
                for (var i = 0; i < atOnce; i++) {
                    // Jobs are at different points of their lives, so that batches are alike.
                    var turn = round * APPENDS + number - i % APPENDS;
                    if (turn >= 0) {
                        batch.add(entry(name + "-" + turn / APPENDS + "-" + i, turn % APPENDS));
                    }
                }
                var before = System.nanoTime();
                var results = store.append(batch);
                slowest = Math.max(slowest, System.nanoTime() - before);
                appends += results.stream().filter(Appended.class::isInstance).count();
            }
        }
        var time = System.nanoTime() - started;
        var ownTime = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu;
        print(
                "%s: %,d appends/s in batches of %d, slowest batch %d ms; %.1f us of processor each",
                name,
                appends * 1_000_000_000L / time,
                atOnce,
                slowest / 1_000_000,
                ownTime / 1e3 / appends);
    }

    private static void leaveOpen(SqliteEventStore store, int jobs) {
        for (var first = 0; first < jobs; first += 500) {
            for (var number = 0; number < 3; number++) {
                var batch = new ArrayList<Append>();
                for (var i = first; i < first + 500; i++) {
                    batch.add(entry("open-" + i, number));
                }
                store.append(batch);
            }
        }
    }

    private static void read(SqliteEventStore store) {
        var started = System.nanoTime();
        var cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        var events = 0L;
        var jobs = 0L;
        var after = OptionalLong.of(0);
        while (after.isPresent()) {
            var page = store.openTails(after.getAsLong(), 1_000, EventPage.BYTES);
            for (var job : page.jobs()) {
                jobs++;
                for (var append : job.appends().orElseThrow()) {
                    events += append.events().size();
                }
            }
            after = page.next();
        }
        print(
                "openTails: %,d jobs, %,d events in %d ms, %d of processor",
                jobs,
                events,
                (System.nanoTime() - started) / 1_000_000,
                (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu) / 1_000_000);
        time("list newest", () -> store.list(JobQuery.newest(100)));
        time(
                "list finished of alice",
                () ->
                        store.list(
                                JobQuery.of(
                                                JobFilter.ALL
                                                        .withStatus("finished")
                                                        .withClient("alice"),
                                                100)
                                        .skipping(1000)));
        time("count", store::countByStatus);
    }

    private static void time(String name, Runnable act) {
        var started = System.nanoTime();
        act.run();
        print("%s: %.1f ms", name, (System.nanoTime() - started) / 1e6);
    }

    private static Append entry(String id, int number) {
        var closed = number == APPENDS - 1;
        var row =
                new JobRow(
                        new JobId(id),
                        "album",
                        "alice",
                        closed ? "end" : "resize",
                        closed ? "finished" : "running",
                        closed,
                        0,
                        new LinkedHashMap<>(),
                        AT,
                        AT.plusSeconds(number),
                        Optional.empty());
        var expected = new long[] {0, 2, 5, 6, 9}[number];
        return new Append(StreamId.of(row.id()), expected, events(id, number), row);
    }

    private static List<JobEvent> events(String id, int number) {
        var token = new LeaseToken(id + ".0.1.1y2p0ij32e8e7");
        var worker = new WorkerId("worker-17");
        return switch (number) {
            case 0 ->
                    List.of(
                            new JobEvent.JobSubmitted(
                                    new JobSpec(
                                            new BlueprintRef("album", "1.0", "a".repeat(64)),
                                            "start",
                                            "alice",
                                            JobData.of(PARAMS),
                                            JobOptions.DEFAULTS,
                                            1),
                                    AT),
                            new JobEvent.StateEntered(0, "start", new StepCause.Started(), AT));
            case 1 ->
                    List.of(
                            new JobEvent.StepDone(
                                    0, new EffectId(2, 0), JobData.EMPTY, List.of(), AT),
                            new JobEvent.TaskOpened(
                                    0,
                                    TaskSpec.of("resize", PARAMS),
                                    Outcomes.on("success", "end").and("failed", "sorry"),
                                    AT),
                            new JobEvent.LeaseGranted(
                                    0,
                                    new Lease(token, worker, 1, AT),
                                    new Placement(
                                            worker,
                                            "it is warm and free",
                                            List.of(
                                                    new Placement.Candidate(
                                                            worker, "http", List.of())),
                                            new LinkedHashMap<>(),
                                            99),
                                    AT));
            case 2 ->
                    List.of(
                            new JobEvent.TaskSucceeded(
                                    0, token, "success", Payload.of(PARAMS), AT));
            case 3 ->
                    List.of(
                            new JobEvent.StateEntered(
                                    0, "end", new StepCause.TaskEnded(0, "success"), AT),
                            new JobEvent.StepDone(
                                    0, new EffectId(7, 0), JobData.of(PARAMS), List.of(), AT),
                            new JobEvent.StepRetried(0, AT));
            default ->
                    List.of(
                            new JobEvent.StateEntered(0, "end", new StepCause.Moved("a"), AT),
                            new JobEvent.StepDone(
                                    0, new EffectId(9, 0), JobData.EMPTY, List.of("end"), AT),
                            new JobEvent.JobEnded(new JobOutcome.Finished(Payload.of(PARAMS)), AT));
        };
    }

    @SuppressWarnings({"SystemOut", "AnnotateFormatMethod"}) // a program
    private static void print(String format, Object... values) {
        System.out.println(format.formatted(values));
    }
}
