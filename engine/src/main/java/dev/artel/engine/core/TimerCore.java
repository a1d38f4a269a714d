package dev.artel.engine.core;

import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// All timers in the order in which they go off. Single-threaded.
final class TimerCore {
    private record Key(Instant at, JobId job, EffectId id) {}

    private final TreeMap<Key, Effect.ScheduleTimer> timers =
            new TreeMap<>(
                    Comparator.comparing(Key::at).thenComparing(Key::job).thenComparing(Key::id));

    /// The same by job.
    private final Map<JobId, Set<Key>> byJob = new LinkedHashMap<>();

    void hold(JobId job, Effect.ScheduleTimer timer) {
        var key = new Key(timer.at(), job, timer.id());
        timers.put(key, timer);
        byJob.computeIfAbsent(job, _ -> new LinkedHashSet<>(2)).add(key);
    }

    void release(JobId job, Effect.ScheduleTimer timer) {
        remove(new Key(timer.at(), job, timer.id()));
    }

    private Effect.@Nullable ScheduleTimer remove(Key key) {
        var ofJob = byJob.get(key.job());
        if (ofJob != null && ofJob.remove(key) && ofJob.isEmpty()) {
            byJob.remove(key.job());
        }
        return timers.remove(key);
    }

    void keepOnly(JobId job, List<Effect.Indexed> pending) {
        var ids = new LinkedHashSet<EffectId>();
        pending.forEach(effect -> ids.add(effect.id()));
        var ofJob = byJob.get(job);
        if (ofJob != null) {
            for (var key : List.copyOf(ofJob)) {
                if (!ids.contains(key.id())) {
                    remove(key);
                }
            }
        }
    }

    /// Takes out what is due at `now` and hands it to `sink`.
    void due(Instant now, BiConsumer<JobId, Effect.ScheduleTimer> sink) {
        var due = new ArrayList<Key>();
        for (var key : timers.keySet()) {
            if (key.at().isAfter(now)) {
                break;
            }
            due.add(key);
        }
        for (var key : due) {
            var timer = remove(key);
            if (timer != null) {
                sink.accept(key.job(), timer);
            }
        }
    }

    Optional<Instant> next() {
        return timers.isEmpty() ? Optional.empty() : Optional.of(timers.firstKey().at());
    }

    boolean holds(JobId job, Effect.ScheduleTimer timer) {
        return timer.equals(timers.get(new Key(timer.at(), job, timer.id())));
    }

    int size() {
        return timers.size();
    }
}
