package dev.artel.testkit.store;

import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.JobLogs;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/// The reference of logs.
final class InMemoryLogs implements JobLogs {
    private final Predicate<JobId> known;
    private final Map<Attempt, Kept> attempts = new LinkedHashMap<>();

    private static final class Kept {
        private final Deque<Entry> newest = new ArrayDeque<>();
        private long number;
    }

    InMemoryLogs(Predicate<JobId> known) {
        this.known = known;
    }

    @Override
    public boolean keep(Attempt attempt, List<Line> lines) {
        if (known.test(attempt.job())) {
            keepKnown(attempt, lines);
        }
        return true;
    }

    private synchronized void keepKnown(Attempt attempt, List<Line> lines) {
        var kept = attempts.computeIfAbsent(attempt, _ -> new Kept());
        for (var line : lines) {
            kept.number++;
            kept.newest.add(new Entry(attempt.task(), attempt.attempt(), kept.number, line));
            if (kept.newest.size() > MAX_LINES) {
                kept.newest.remove();
            }
        }
    }

    @Override
    public synchronized List<Entry> read(
            JobId job, OptionalInt task, Optional<Place> before, int limit) {
        var all = new ArrayList<Entry>();
        attempts.forEach((attempt, kept) -> {
            if (attempt.job().equals(job)
                    && (task.isEmpty() || task.getAsInt() == attempt.task())) {
                all.addAll(kept.newest);
            }
        });
        before.ifPresent(place -> all.removeIf(entry -> entry.place().compareTo(place) >= 0));
        all.sort(Comparator.comparing(Entry::place));
        return List.copyOf(all.subList(Math.max(0, all.size() - limit), all.size()));
    }

    synchronized void remove(JobId job) {
        attempts.keySet().removeIf(attempt -> attempt.job().equals(job));
    }
}
