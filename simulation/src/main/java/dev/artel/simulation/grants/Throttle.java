package dev.artel.simulation.grants;

import dev.artel.engine.core.dispatch.DispatchSettings;
import dev.artel.kernel.task.Rate;
import dev.artel.kernel.task.SharedLimit;
import dev.artel.kernel.task.TaskOutline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// What limits leave to tasks by the settings and by what is on a coordinator: how many are with workers, and how many tokens the
/// buckets of rates have. In no time are more given out than a bucket holds and gets in that time.
final class Throttle {
    /// Sums of what came in small parts.
    private static final double ROUNDING = 1e-6;

    private DispatchSettings settings;
    private final Map<String, Integer> used = new HashMap<>();
    private final Map<Key, Bucket> buckets = new HashMap<>();
    private final Map<String, Optional<SharedLimit>> settled = new HashMap<>();
    private Instant now = Instant.EPOCH;

    Throttle(DispatchSettings settings) {
        this.settings = settings;
    }

    private record Key(String key, Rate rate) {}

    private static final class Bucket {
        final Rate rate;
        double tokens;
        Instant at;

        Bucket(Rate rate, Instant at) {
            this.rate = rate;
            tokens = rate.burst();
            this.at = at;
        }

        void fill(Instant now) {
            if (now.isAfter(at)) {
                var share = (double) Duration.between(at, now).toNanos() / rate.per().toNanos();
                tokens = Math.min(rate.burst(), tokens + share * rate.tasks());
            }
            at = now;
        }
    }

    /// It is `time` now, by the clock of the coordinator. Where that was set back, buckets have what they got until then, and fill
    /// from there on.
    void at(Instant time) {
        if (time.isBefore(now)) {
            for (var bucket : buckets.values()) {
                bucket.fill(now);
                bucket.fill(time);
            }
        }
        now = time;
    }

    /// Other settings are in force; `outlines` are those of all that takes up slots.
    void configure(DispatchSettings other, Iterable<TaskOutline> outlines) {
        settings = other;
        settled.clear();
        used.clear();
        outlines.forEach(task -> keys(task).forEach(key -> used.merge(key, 1, Integer::sum)));
    }

    /// Whether nothing limits a task.
    boolean isFree(TaskOutline task) {
        return task.limits().isEmpty() && common(task).isEmpty();
    }

    /// What keeps a task from being given out now; null if nothing does.
    @Nullable String closed(TaskOutline task) {
        for (var key : common(task)) {
            var closed = closed(SharedLimit.of(key));
            if (closed != null) {
                return closed;
            }
        }
        for (var limit : task.limits()) {
            var closed = closed(limit);
            if (closed != null) {
                return closed;
            }
        }
        return null;
    }

    private @Nullable String closed(SharedLimit own) {
        var key = own.key();
        var most =
                Math.min(
                        own.concurrent().orElse(Integer.MAX_VALUE),
                        settled(key)
                                .map(SharedLimit::concurrent)
                                .orElse(OptionalInt.empty())
                                .orElse(Integer.MAX_VALUE));
        var count = used.getOrDefault(key, 0);
        if (count >= most) {
            return count + " tasks with the key " + key + " are with workers, which allows " + most;
        }
        for (var rate : rates(own)) {
            var tokens = bucket(key, rate).tokens;
            if (tokens < 1 - ROUNDING) {
                return "of the key " + key + " with " + rate + " there are " + tokens + " tokens";
            }
        }
        return null;
    }

    /// A task takes up a slot.
    void take(TaskOutline task) {
        change(task, 1, -1);
    }

    /// A task takes up no slot any more.
    void free(TaskOutline task) {
        change(task, -1, 0);
    }

    /// A task was not given out after all.
    void giveBack(TaskOutline task) {
        change(task, -1, 1);
    }

    private void change(TaskOutline task, int slots, int tokens) {
        common(task).forEach(key -> change(SharedLimit.of(key), slots, tokens));
        task.limits().forEach(limit -> change(limit, slots, tokens));
    }

    private void change(SharedLimit limit, int slots, int tokens) {
        used.merge(limit.key(), slots, Integer::sum);
        if (tokens != 0) {
            for (var rate : rates(limit)) {
                var bucket = bucket(limit.key(), rate);
                bucket.tokens = Math.clamp(bucket.tokens + tokens, 0, rate.burst());
            }
        }
    }

    private List<String> keys(TaskOutline task) {
        var keys = new ArrayList<>(common(task));
        task.limits().forEach(limit -> keys.add(limit.key()));
        return keys;
    }

    /// The keys that a task has by itself, as far as they are limited.
    private List<String> common(TaskOutline task) {
        if (settings.limits().isEmpty()) {
            return List.of();
        }
        var keys = new ArrayList<String>(2);
        for (var key :
                List.of(
                        SharedLimit.OF_TYPE + task.type(),
                        SharedLimit.OF_BLUEPRINT + task.blueprint())) {
            if (settled(key).isPresent()) {
                keys.add(key);
            }
        }
        return keys;
    }

    private Optional<SharedLimit> settled(String key) {
        return settled.computeIfAbsent(key, settings::limit);
    }

    private List<Rate> rates(SharedLimit own) {
        var rates = new ArrayList<Rate>(2);
        settled(own.key()).flatMap(SharedLimit::rate).ifPresent(rates::add);
        own.rate().filter(rate -> !rates.contains(rate)).ifPresent(rates::add);
        return rates;
    }

    private Bucket bucket(String key, Rate rate) {
        var bucket = buckets.computeIfAbsent(new Key(key, rate), _ -> new Bucket(rate, now));
        bucket.fill(now);
        return bucket;
    }
}
