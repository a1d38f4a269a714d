package dev.artel.engine.core.watch;

import dev.artel.kernel.job.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedMap;

/// Remembers what did not look as it should, and believes it when it looks the same later. Single-threaded.
///
/// The engine promises (G2) that each job that is not closed waits for something that can still happen. What is on its way
/// between two parts of the engine is with neither for a moment: only what is the same after a grace is a [Stall]. Ids of
/// effects and leases never come again, so that what is the same by name has been so all the time.
public final class StallWatch {
    /// More than that, and the first ones say enough.
    private static final int MOST = 10_000;

    /// So often at least it must look the same: after a pause of the whole process two looks may follow on each other
    /// while all that was on its way still is.
    private static final int LOOKS = 3;

    /// What is busy has more time: a store may be slow.
    private static final int BUSY = 5;

    private final Duration grace;
    private final SequencedMap<JobId, SequencedMap<String, Doubt>> doubts = new LinkedHashMap<>();

    private static final class Doubt {
        final Suspicion suspicion;
        final Instant firstSeen;
        final Instant since;
        int looks;
        boolean isBelieved;

        Doubt(Suspicion suspicion, Instant firstSeen, Instant since) {
            this.suspicion = suspicion;
            this.firstSeen = firstSeen;
            this.since = since;
        }

        Stall stall(JobId job) {
            return new Stall(
                    job,
                    suspicion.key(),
                    suspicion.expected(),
                    suspicion.found(),
                    suspicion.advice(),
                    since);
        }
    }

    /// @param grace how long what is on its way may take
    public StallWatch(Duration grace) {
        this.grace = grace;
    }

    /// Takes in what was seen.
    ///
    /// @param steady a clock that never jumps
    /// @return what is believed from now on
    public List<Stall> see(Look look, Instant steady) {
        var job = look.job();
        var before = doubts.getOrDefault(job, new LinkedHashMap<>());
        var after = new LinkedHashMap<String, Doubt>();
        var news = new ArrayList<Stall>();
        if (look.isBusy()) {
            var version = look.durable().map(durable -> durable.version()).orElse(0L);
            doubt(
                    new Suspicion(
                            "busy since version " + version,
                            "what the engine decides about a job becomes durable",
                            "the engine is at it all the time, and nothing becomes durable",
                            "look at the store and its disk, then restart the orchestrator"),
                    look,
                    steady,
                    before,
                    after);
            // What else is seen meanwhile says nothing for or against it.
            before.forEach((key, doubt) -> {
                if (!key.startsWith("busy")) {
                    after.put(key, doubt);
                }
            });
        } else {
            for (var suspicion : Suspicions.of(look)) {
                doubt(suspicion, look, steady, before, after);
            }
        }
        for (var doubt : after.values()) {
            var isBusy = doubt.suspicion.key().startsWith("busy");
            if (isBusy != look.isBusy()) {
                continue;
            }
            var patience = isBusy ? grace.multipliedBy(BUSY) : grace;
            if (!doubt.isBelieved
                    && doubt.looks >= LOOKS
                    && !doubt.firstSeen.plus(patience).isAfter(steady)) {
                doubt.isBelieved = true;
                news.add(doubt.stall(job));
            }
        }
        if (after.isEmpty()) {
            doubts.remove(job);
        } else if (doubts.size() < MOST || doubts.containsKey(job)) {
            doubts.put(job, after);
        }
        return news;
    }

    private static void doubt(
            Suspicion suspicion,
            Look look,
            Instant steady,
            SequencedMap<String, Doubt> before,
            SequencedMap<String, Doubt> after) {
        var known = before.get(suspicion.key());
        var doubt = known == null ? new Doubt(suspicion, steady, look.now()) : known;
        doubt.looks++;
        after.put(suspicion.key(), doubt);
    }

    /// The jobs at which to look again, with or without the others.
    public List<JobId> doubtful(Instant steady) {
        var again = new LinkedHashSet<JobId>();
        doubts.forEach((job, all) -> {
            if (all.values().stream().anyMatch(one -> !one.firstSeen.plus(grace).isAfter(steady))) {
                again.add(job);
            }
        });
        return List.copyOf(again);
    }

    /// What is believed, the oldest first.
    public List<Stall> stalls() {
        var found = new ArrayList<Stall>();
        doubts.forEach((job, all) ->
                all.values().stream()
                        .filter(doubt -> doubt.isBelieved)
                        .map(doubt -> doubt.stall(job))
                        .forEach(found::add));
        return found;
    }
}
