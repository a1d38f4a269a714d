package dev.artel.benchmarks;

import dev.artel.engine.shell.Blueprints;
import dev.artel.engine.shell.EngineConfig;
import dev.artel.engine.shell.LocalEngine;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.engine.Submission;
import dev.artel.kernel.engine.SubmitReply;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.Append;
import dev.artel.kernel.store.AppendResult;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.JobRow;
import dev.artel.kernel.store.StreamId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;

/// Many closed jobs, copied from a finished and a failed one that an engine has run: of 20 blueprints and 50 clients, in
/// four days; one in ten has a label, one in twenty has failed with a message of its own.
final class ClosedJobs {
    private static final int BATCH = 2_000;
    private static final int BLUEPRINTS = 20;
    private static final int CLIENTS = 50;
    private static final List<String> PLACES = List.of("disk", "network", "memory", "licence");

    /// Young enough to be kept.
    private static final Duration ALL = Duration.ofDays(4);

    private final int jobs;
    private final Instant first = Instant.ofEpochMilli(System.currentTimeMillis()).minus(ALL);

    private ClosedJobs(int jobs) {
        this.jobs = jobs;
    }

    static ClosedJobs fill(TemporaryStore stores, int jobs) {
        var finished = template(stores, "chain");
        var failed = template(stores, "broken");
        var all = new ClosedJobs(jobs);
        var batch = new ArrayList<Append>(BATCH);
        for (var i = 0; i < jobs; i++) {
            batch.add(all.append(i, isFailed(i) ? failed : finished));
            if (batch.size() == BATCH || i == jobs - 1) {
                write(stores.events(), batch);
                batch.clear();
            }
        }
        return all;
    }

    private static boolean isFailed(int number) {
        return number % 20 == 7;
    }

    /// The events of a job that was really run.
    private static List<JobEvent> template(TemporaryStore stores, String blueprint) {
        var broken =
                Blueprint.named("broken").start("start", _ -> Action.fail("it is broken")).build();
        try (var engine =
                LocalEngine.start(
                        EngineConfig.DEFAULTS,
                        stores.events(),
                        stores.payloads(),
                        Blueprints.of(Chains.ordinary(), broken),
                        InstantSource.system())) {
            var worker = new InProcessWorker(engine, 1);
            engine.addListener(worker);
            worker.start("noop", 8);
            var data = JsonObject.of("n", JsonValue.of(1));
            if (!(engine.submit(Submission.of(blueprint, data))
                    instanceof SubmitReply.Accepted(var id, var _))) {
                throw new IllegalStateException("the first job was refused");
            }
            engine.awaitFinal(id, Duration.ofMinutes(10));
            return stores.events().read(StreamId.of(id), 0).stream()
                    .flatMap(append -> append.events().stream())
                    .toList();
        }
    }

    private Append append(int number, List<JobEvent> events) {
        var id = new JobId(id(number));
        var at = first.plus(ALL.dividedBy(jobs).multipliedBy(number));
        var labels = new LinkedHashMap<String, String>();
        if (number % 10 == 3) {
            labels.put("order", "nr-" + number);
            labels.put("team", "team" + number % 7);
        }
        return new Append(
                StreamId.of(id),
                0,
                events,
                new JobRow(
                        id,
                        "flow" + number % BLUEPRINTS,
                        "client" + number % CLIENTS,
                        "done",
                        isFailed(number) ? "failed" : "finished",
                        true,
                        0,
                        labels,
                        at,
                        at.plusSeconds(3),
                        isFailed(number)
                                ? Optional.of(
                                        "step convert failed: the "
                                                + PLACES.get(number / 20 % PLACES.size())
                                                + " of host h"
                                                + number
                                                + " is full")
                                : Optional.empty()));
    }

    private static void write(EventStore store, List<Append> batch) {
        for (var result : store.append(batch)) {
            if (!(result instanceof AppendResult.Appended)) {
                throw new IllegalStateException("an append failed: " + result);
            }
        }
    }

    private static String id(int number) {
        return new UUID(0x0190_0000_0000_7000L + number, 0x8000_0000_0000_0000L | number * 0x9E37L)
                .toString();
    }

    String anId(RandomGenerator random) {
        return id(random.nextInt(jobs));
    }

    /// A list as people ask for it: the newest, by one filter, by several, of a time, and far behind.
    String aList(RandomGenerator random) {
        var blueprint = "flow" + random.nextInt(BLUEPRINTS);
        var client = "client" + random.nextInt(CLIENTS);
        var query =
                switch (random.nextInt(9)) {
                    case 0 -> "";
                    case 1 -> "&status=failed";
                    case 2 -> "&blueprint=" + blueprint + "&status=finished";
                    case 3 -> "&client=" + client;
                    case 4 -> "&client=" + client + "&status=failed&blueprint=" + blueprint;
                    case 5 -> "&label.team=team" + random.nextInt(7);
                    case 6 -> "&status=failed&cursor=" + cursor(random);
                    case 7 -> "&cursor=" + cursor(random);
                    default -> between(random);
                };
        return "/api/v1/jobs?limit=100" + query;
    }

    /// As a page of the API gives it.
    private String cursor(RandomGenerator random) {
        var place = "jobs:" + (1 + random.nextInt(jobs));
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(place.getBytes(StandardCharsets.UTF_8));
    }

    private String between(RandomGenerator random) {
        var from = first.plus(ALL.dividedBy(100).multipliedBy(random.nextInt(100)));
        return "&from=" + from + "&until=" + from.plus(Duration.ofHours(2)) + "&status=failed";
    }

    /// Words of messages and labels: of one job, of many, of none, and with filters.
    String aSearch(RandomGenerator random) {
        var failed = random.nextInt(jobs / 20) * 20 + 7;
        var labelled = random.nextInt(jobs / 10) * 10 + 3;
        var place = PLACES.get(random.nextInt(PLACES.size()));
        var words =
                switch (random.nextInt(6)) {
                    case 0 -> "h" + failed;
                    case 1 -> "nr+" + labelled;
                    case 2 -> place + "+full";
                    case 3 -> "step+" + place + "&client=client" + random.nextInt(CLIENTS);
                    case 4 -> "nothing+of+the+kind";
                    default -> "team" + random.nextInt(7) + "&status=finished";
                };
        return "/api/v1/jobs?limit=100&q=" + words;
    }
}
