package dev.artel.engine.core;

import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/// All alarms in the order in which they go off. Single-threaded.
final class TimerCore {
    private record Key(Instant at, JobId job, EffectId id) {}

    private final TreeMap<Key, Effect.WakeAt> alarms =
            new TreeMap<>(
                    Comparator.comparing(Key::at).thenComparing(Key::job).thenComparing(Key::id));

    void hold(JobId job, Effect.WakeAt alarm) {
        alarms.put(new Key(alarm.at(), job, alarm.id()), alarm);
    }

    void release(JobId job, Effect.WakeAt alarm) {
        alarms.remove(new Key(alarm.at(), job, alarm.id()));
    }

    void keepOnly(JobId job, List<Effect> pending) {
        var ids = new LinkedHashSet<EffectId>();
        pending.forEach(effect -> ids.add(effect.id()));
        alarms.keySet().removeIf(key -> key.job().equals(job) && !ids.contains(key.id()));
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
            var alarm = alarms.remove(key);
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
