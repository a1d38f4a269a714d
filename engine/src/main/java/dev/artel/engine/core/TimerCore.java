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

/// All alarms in the order in which they go off. Single-threaded.
final class TimerCore {
    private record Key(Instant at, JobId job, EffectId id) {}

    private final TreeMap<Key, Effect.WakeAt> alarms =
            new TreeMap<>(
                    Comparator.comparing(Key::at).thenComparing(Key::job).thenComparing(Key::id));

    /// The same by job.
    private final Map<JobId, Set<Key>> byJob = new LinkedHashMap<>();

    void hold(JobId job, Effect.WakeAt alarm) {
        var key = new Key(alarm.at(), job, alarm.id());
        alarms.put(key, alarm);
        byJob.computeIfAbsent(job, _ -> new LinkedHashSet<>(2)).add(key);
    }

    void release(JobId job, Effect.WakeAt alarm) {
        remove(new Key(alarm.at(), job, alarm.id()));
    }

    private Effect.@Nullable WakeAt remove(Key key) {
        var ofJob = byJob.get(key.job());
        if (ofJob != null && ofJob.remove(key) && ofJob.isEmpty()) {
            byJob.remove(key.job());
        }
        return alarms.remove(key);
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
    void due(Instant now, BiConsumer<JobId, Effect.WakeAt> sink) {
        var due = new ArrayList<Key>();
        for (var key : alarms.keySet()) {
            if (key.at().isAfter(now)) {
                break;
            }
            due.add(key);
        }
        for (var key : due) {
            var alarm = remove(key);
            if (alarm != null) {
                sink.accept(key.job(), alarm);
            }
        }
    }

    Optional<Instant> next() {
        return alarms.isEmpty() ? Optional.empty() : Optional.of(alarms.firstKey().at());
    }

    boolean holds(JobId job, Effect.WakeAt alarm) {
        return alarm.equals(alarms.get(new Key(alarm.at(), job, alarm.id())));
    }

    int size() {
        return alarms.size();
    }
}
