package dev.artel.engine.core.watch;

import dev.artel.kernel.job.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// Remembers what did not look as it should, and believes it when it looks the same later. Single-threaded.
///
/// The engine promises (G2) that each job that is not closed waits for something that can still happen. What is on its way
/// between two parts of the engine is with neither for a moment: only what is the same after a grace is a [Stall]. Ids of
/// effects and leases never come again, so that what is the same by name has been so all the time.
///
/// Only time in which the process runs counts: while it stands still nothing that is on its way gets any further.
public final class StallDetector {
    /// More than that, and the first ones are enough.
    private static final int MOST = 10_000;

    /// So often at least it must look the same: the first look after a standstill of the process comes while all that was
    /// on its way before still is.
    private static final int LOOKS = 3;

    /// What is busy has more time: a store may be slow.
    private static final int BUSY = 5;

    private final Duration grace;
    private final Duration longestPause;

    /// For how long the process has run.
    private Duration ran = Duration.ZERO;

    /// The time of the last sign that it runs; null before the first one.
    private @Nullable Instant lastSign;

    private final SequencedMap<JobId, SequencedMap<String, Doubt>> doubts = new LinkedHashMap<>();

    private static final class Doubt {
        final StallCandidate stallCandidate;
        final Duration firstSeen;
        final Instant since;
        int looks;
        boolean isBelieved;

        Doubt(StallCandidate stallCandidate, Duration firstSeen, Instant since) {
            this.stallCandidate = stallCandidate;
            this.firstSeen = firstSeen;
            this.since = since;
        }

        Stall stall(JobId job) {
            return new Stall(
                    job,
                    stallCandidate.key(),
                    stallCandidate.expected(),
                    stallCandidate.found(),
                    stallCandidate.advice(),
                    since);
        }
    }

    /// @param grace how long what is on its way may take, of the time in which the process runs
    /// @param longestPause so much counts at most of the time between two calls of [#runs]: more is a standstill
    public StallDetector(Duration grace, Duration longestPause) {
        this.grace = grace;
        this.longestPause = longestPause;
    }

    /// The process runs.
    ///
    /// @param steady a clock that never jumps, and may go on while the process stands still
    public void runs(Instant steady) {
        if (lastSign != null) {
            var passed = Duration.between(lastSign, steady);
            ran = ran.plus(passed.compareTo(longestPause) < 0 ? passed : longestPause);
        }
        lastSign = steady;
    }

    /// Takes in what was seen, as of the last call of [#runs].
    ///
    /// @return what is believed from now on
    public List<Stall> see(StallSnapshot stallSnapshot) {
        var job = stallSnapshot.job();
        var before = doubts.getOrDefault(job, new LinkedHashMap<>());
        var after = new LinkedHashMap<String, Doubt>();
        var believed = new ArrayList<Stall>();
        if (stallSnapshot.isBusy()) {
            var version = stallSnapshot.durable().map(durable -> durable.version()).orElse(0L);
            doubt(
                    new StallCandidate(
                            "busy since version " + version,
                            "what the engine decides about a job becomes durable",
                            "the engine is busy all the time, and nothing becomes durable",
                            "look at the store and its disk, then restart the orchestrator"),
                    stallSnapshot,
                    before,
                    after);
            // What else is seen meanwhile proves nothing for or against it.
            before.forEach((key, doubt) -> {
                if (!key.startsWith("busy")) {
                    after.put(key, doubt);
                }
            });
        } else {
            for (var stallCandidate : StallCandidates.of(stallSnapshot)) {
                doubt(stallCandidate, stallSnapshot, before, after);
            }
        }
        for (var doubt : after.values()) {
            var isBusy = doubt.stallCandidate.key().startsWith("busy");
            if (isBusy != stallSnapshot.isBusy()) {
                continue;
            }
            var least = isBusy ? grace.multipliedBy(BUSY) : grace;
            if (!doubt.isBelieved
                    && doubt.looks >= LOOKS
                    && ran.minus(doubt.firstSeen).compareTo(least) >= 0) {
                doubt.isBelieved = true;
                believed.add(doubt.stall(job));
            }
        }
        if (after.isEmpty()) {
            doubts.remove(job);
        } else if (doubts.size() < MOST || doubts.containsKey(job)) {
            doubts.put(job, after);
        }
        return believed;
    }

    private void doubt(
            StallCandidate stallCandidate,
            StallSnapshot stallSnapshot,
            SequencedMap<String, Doubt> before,
            SequencedMap<String, Doubt> after) {
        var known = before.get(stallCandidate.key());
        var doubt = known == null ? new Doubt(stallCandidate, ran, stallSnapshot.now()) : known;
        doubt.looks++;
        after.put(stallCandidate.key(), doubt);
    }

    /// The jobs at which to look again, with or without the others.
    public List<JobId> doubtful() {
        var again = new LinkedHashSet<JobId>();
        doubts.forEach((job, all) -> {
            if (all.values().stream()
                    .anyMatch(one -> ran.minus(one.firstSeen).compareTo(grace) >= 0)) {
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
