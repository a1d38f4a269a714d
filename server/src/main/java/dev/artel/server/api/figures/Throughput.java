package dev.artel.server.api.figures;

import dev.artel.engine.shell.JobObserver;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/// How many jobs began and ended in the last ten minutes, by five seconds, and in the last three hours, by minutes. Counts
/// from its start on. Safe for use by many threads.
public final class Throughput implements JobObserver {
    private static final Duration FINE = Duration.ofSeconds(5);
    private static final int FINE_STEPS = 120;
    private static final Duration COARSE = Duration.ofMinutes(1);
    private static final int COARSE_STEPS = 180;

    /// What is counted.
    private static final List<String> NAMES =
            List.of("submitted", "finished", "failed", "cancelled", "quarantined");

    private static final int SUBMITTED = 0;
    private static final int FINISHED = 1;
    private static final int FAILED = 2;
    private static final int CANCELLED = 3;
    private static final int QUARANTINED = 4;

    private final List<LongAdder> counts = NAMES.stream().map(_ -> new LongAdder()).toList();
    private final Ring fine;
    private final Ring coarse;

    /// Nothing has happened before `now`.
    public Throughput(Instant now) {
        fine = new Ring(FINE, FINE_STEPS, now);
        coarse = new Ring(COARSE, COARSE_STEPS, now);
    }

    /// The steps of a time, each with its counts. Guarded by itself.
    private static final class Ring {
        private final long seconds;
        private final long[][] steps;

        /// The number of the step that is not complete, from 1970 on.
        private long at;

        /// What was counted before that.
        private final long[] before = new long[NAMES.size()];

        Ring(Duration step, int count, Instant now) {
            seconds = step.toSeconds();
            steps = new long[count + 1][NAMES.size()];
            at = now.getEpochSecond() / seconds;
        }

        /// @param counts since the start
        synchronized void sample(Instant now, long[] counts) {
            var next = now.getEpochSecond() / seconds;
            if (next > at + steps.length) {
                at = next - steps.length;
            }
            while (at < next) {
                at++;
                steps[place(at)] = new long[before.length];
            }
            for (var i = 0; i < before.length; i++) {
                steps[place(at)][i] += counts[i] - before[i];
                before[i] = counts[i];
            }
        }

        private int place(long step) {
            return (int) Math.floorMod(step, (long) steps.length);
        }

        /// The complete steps, the oldest first.
        synchronized JsonObject shown() {
            var first = at - steps.length + 1;
            var json =
                    JsonObject.builder()
                            .put("step_seconds", seconds)
                            .put("from", Instant.ofEpochSecond(first * seconds).toString());
            for (var what = 0; what < NAMES.size(); what++) {
                var values = new ArrayList<JsonValue>();
                for (var step = first; step < at; step++) {
                    values.add(JsonNumber.of(steps[place(step)][what]));
                }
                json.put(NAMES.get(what), new JsonArray(values));
            }
            return json.build();
        }
    }

    @Override
    public void happened(Job job, List<JobEvent> events) {
        for (var event : events) {
            if (event instanceof JobEvent.JobSubmitted) {
                count(SUBMITTED);
            } else if (event instanceof JobEvent.JobQuarantined) {
                count(QUARANTINED);
            } else if (event instanceof JobEvent.JobEnded(var outcome, var _)) {
                count(
                        switch (outcome) {
                            case JobOutcome.Finished _ -> FINISHED;
                            case JobOutcome.Failed _ -> FAILED;
                            case JobOutcome.Cancelled _ -> CANCELLED;
                        });
            }
        }
    }

    private void count(int what) {
        counts.get(what).increment();
    }

    /// Takes up what was counted; to be called once a second.
    void sample(Instant now) {
        var sums = counts.stream().mapToLong(LongAdder::sum).toArray();
        fine.sample(now, sums);
        coarse.sample(now, sums);
    }

    /// The last ten minutes.
    public JsonObject minutes() {
        return fine.shown();
    }

    /// The last three hours.
    public JsonObject hours() {
        return coarse.shown();
    }
}
