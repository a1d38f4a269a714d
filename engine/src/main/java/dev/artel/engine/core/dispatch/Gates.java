package dev.artel.engine.core.dispatch;

import dev.artel.kernel.task.Rate;
import dev.artel.kernel.task.SharedLimit;
import dev.artel.kernel.task.TaskOutline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The limits that tasks share, and who waits at them. Single-threaded.
///
/// How many tasks have a key is counted from the slots that they take up, so nothing of it is stored. How often one was given
/// out is memory: after a restart each lease that lives is taken for a new one.
final class Gates {
    /// How many that wait are let look at once where a limit has room again; the others follow soon.
    private static final int AT_ONCE = 256;

    private static final Duration SOON = Duration.ofMillis(5);

    /// While so many keys are remembered only because their rates have not recovered, a task with a rate of a further key waits.
    /// Only leases that live already can make them more.
    static final int MOST_COOLING = 100_000;

    /// Which waits at least so long: very many may wait for one that recovers.
    private static final Duration FOR_A_KEY = Duration.ofSeconds(1);

    /// So many keys that have recovered are forgotten at once; the others follow soon.
    private static final int MOST_FORGOTTEN = 1_000;

    /// While so many rates of one key have not recovered, a task with a further one waits. Only leases that live already can make
    /// them more.
    static final int MOST_RATES = 1_000;

    /// As many rates of one key are remembered without a look at which of them can be forgotten.
    private static final int FEW_RATES = 16;

    private final Map<String, Gate> gates = new LinkedHashMap<>();

    /// The keys that no task uses, by when their rates will have recovered. One that is in use again may be among them.
    private final TreeSet<Timer> cooling = new TreeSet<>();

    private final SequencedSet<Gate> opened = new LinkedHashSet<>();
    private final TreeSet<Timer> timers = new TreeSet<>();
    private DispatchSettings settings = DispatchSettings.DEFAULTS;
    private Instant now = Instant.EPOCH;

    /// What waits at a limit, and looks again when it has room.
    interface Waiter {
        /// The limit has room, or may have.
        void lookAgain();

        /// Whose tasks these are.
        DemandClass demand();
    }

    private record Timer(Instant at, String key, Gate gate) implements Comparable<Timer> {
        @Override
        public int compareTo(Timer other) {
            var byTime = at.compareTo(other.at);
            return byTime != 0 ? byTime : key.compareTo(other.key);
        }
    }

    /// All that is known of a key.
    static final class Gate {
        final String key;
        private Optional<SharedLimit> settled = Optional.empty();
        private final SequencedMap<Rate, Bucket> buckets = new LinkedHashMap<>(0);
        private final SequencedSet<Waiter> waiting = new LinkedHashSet<>();
        private int used;

        /// With so many rates, those that have recovered are looked for and forgotten.
        private int ratesBeforeSweep = FEW_RATES;

        /// When the first of its rates will have recovered, as far as is known; it is looked for again then.
        private Instant ratesRecoverAt = Instant.MIN;

        /// How many look at it, beside those that wait.
        private int users;

        private @Nullable Timer timer;

        /// Among those of [Gates#cooling].
        private @Nullable Timer cooling;

        private Gate(String key) {
            this.key = key;
        }

        private boolean isInUse() {
            return users > 0 || used != 0 || !waiting.isEmpty();
        }

        private Instant recoversAt(Instant now) {
            return buckets.values().stream()
                    .map(bucket -> bucket.fullAt(now))
                    .max(Comparator.naturalOrder())
                    .orElse(now);
        }
    }

    private static final class Bucket {
        private final Rate rate;
        private double tokens;
        private Instant at;

        Bucket(Rate rate, Instant now) {
            this.rate = rate;
            tokens = rate.burst();
            at = now;
        }

        private void fill(Instant now) {
            if (now.isAfter(at)) {
                var since = Duration.between(at, now);
                var seconds = since.getSeconds() + since.getNano() / 1e9;
                var more = seconds * 1e9 * rate.tasks() / rate.per().toNanos();
                tokens = Math.min(rate.burst(), tokens + more);
            }
            at = now;
        }

        boolean hasOne(Instant now) {
            fill(now);
            return tokens >= 1;
        }

        /// When there is one, rounded up to whole milliseconds.
        Instant nextAt(Instant now) {
            return at(1, now);
        }

        Instant fullAt(Instant now) {
            return at(rate.burst(), now);
        }

        private Instant at(int wanted, Instant now) {
            fill(now);
            var missing = Math.max(0, wanted - tokens) * rate.per().toNanos() / rate.tasks();
            return now.plusMillis((long) Math.ceil(missing / 1e6));
        }

        boolean isFull(Instant now) {
            fill(now);
            return tokens >= rate.burst();
        }
    }

    /// One limit as a task names it.
    ///
    /// @param own the limit that the task itself sets
    record Pass(Gate gate, SharedLimit own) {}

    /// What keeps a task at a limit.
    ///
    /// @param until when there is room by itself; empty if when a task ends
    record Closed(String key, int used, int most, Optional<Rate> rate, Optional<Instant> until) {}

    /// It is `time` now. Where the clock was set back, buckets have what they got until then and fill from there on, and all
    /// that wait for time look again. Keys are forgotten here, when no task has one.
    void at(Instant time) {
        var isSetBack = time.isBefore(now);
        if (isSetBack) {
            for (var gate : gates.values()) {
                gate.ratesRecoverAt = Instant.MIN;
                for (var bucket : gate.buckets.values()) {
                    bucket.fill(now);
                    bucket.fill(time);
                }
            }
            while (!timers.isEmpty()) {
                var gate = timers.first().gate;
                disarm(gate);
                opened.add(gate);
            }
        }
        now = time;
        if (isSetBack) {
            cooling.stream().map(Timer::gate).toList().forEach(this::coolAnew);
        }
        for (var i = 0; i < MOST_FORGOTTEN && hasRecovered(); i++) {
            coolAnew(cooling.first().gate);
        }
    }

    private boolean hasRecovered() {
        return !cooling.isEmpty() && !cooling.first().at.isAfter(now);
    }

    /// Other settings are in force. Counts stay; all that wait look again.
    void configure(DispatchSettings other) {
        settings = other;
        for (var gate : gates.values()) {
            gate.settled = other.limit(gate.key);
            opened.add(gate);
        }
    }

    // What a task passes

    /// The limits of the settings that concern all tasks of a type and a blueprint.
    List<Pass> common(String type, String blueprint) {
        if (settings.limits().isEmpty()) {
            return List.of();
        }
        var passes = new ArrayList<Pass>(2);
        for (var key : List.of(SharedLimit.OF_TYPE + type, SharedLimit.OF_BLUEPRINT + blueprint)) {
            if (settings.limit(key).isPresent()) {
                passes.add(new Pass(gate(key), SharedLimit.of(key)));
            }
        }
        return passes;
    }

    /// The limits that a task names.
    List<Pass> named(List<SharedLimit> limits) {
        return limits.isEmpty()
                ? List.of()
                : limits.stream().map(limit -> new Pass(gate(limit.key()), limit)).toList();
    }

    /// Begins to look at limits, until [#leave].
    void join(List<Pass> passes) {
        for (var pass : passes) {
            pass.gate.users++;
        }
    }

    void leave(List<Pass> passes) {
        for (var pass : passes) {
            pass.gate.users--;
            forgetIfUnused(pass.gate);
        }
    }

    private Gate gate(String key) {
        var gate = gates.get(key);
        if (gate == null) {
            gate = new Gate(key);
            gate.settled = settings.limit(key);
            gates.put(key, gate);
        }
        return gate;
    }

    private void forgetIfUnused(Gate gate) {
        if (gate.isInUse()) {
            return;
        }
        var at = gate.recoversAt(now);
        if (!at.isAfter(now)) {
            // What is known of it is what is known of a new one.
            forget(gate);
        } else if (gate.cooling == null || !gate.cooling.at.equals(at)) {
            coolNoLonger(gate);
            gate.cooling = new Timer(at, gate.key, gate);
            cooling.add(gate.cooling);
        }
    }

    private void coolAnew(Gate gate) {
        coolNoLonger(gate);
        forgetIfUnused(gate);
    }

    private void coolNoLonger(Gate gate) {
        if (gate.cooling != null) {
            cooling.remove(gate.cooling);
            gate.cooling = null;
        }
    }

    private void forget(Gate gate) {
        coolNoLonger(gate);
        opened.remove(gate);
        disarm(gate);
        gates.remove(gate.key);
    }

    /// The first of `passes` that has no room; null if all have.
    @Nullable Pass closed(List<Pass> passes) {
        for (var i = 0; i < passes.size(); i++) {
            if (closed(passes.get(i)) != null) {
                return passes.get(i);
            }
        }
        return null;
    }

    /// Whether a task that comes now may go straight on: its limits have room, and no task waits at them.
    boolean lets(TaskOutline task) {
        var passes = all(task);
        if (passes.isEmpty()) {
            return true;
        }
        var isFree =
                closed(passes) == null
                        && passes.stream().allMatch(pass -> pass.gate.waiting.isEmpty());
        passes.forEach(pass -> forgetIfUnused(pass.gate));
        return isFree;
    }

    /// What keeps a task at a limit; null if nothing does.
    @Nullable Closed closed(Pass pass) {
        var gate = pass.gate;
        var most = most(pass);
        if (gate.used >= most) {
            return new Closed(gate.key, gate.used, most, Optional.empty(), Optional.empty());
        }
        for (var rate : rates(pass)) {
            var until = closedUntil(gate, rate);
            if (until.isPresent()) {
                return new Closed(gate.key, gate.used, most, Optional.of(rate), until);
            }
        }
        return null;
    }

    /// When `rate` lets a task pass at `gate`; empty if now.
    private Optional<Instant> closedUntil(Gate gate, Rate rate) {
        var bucket = gate.buckets.get(rate);
        if (bucket != null) {
            return bucket.hasOne(now) ? Optional.empty() : Optional.of(bucket.nextAt(now));
        }
        if (isFullOfRates(gate)) {
            return Optional.of(gate.ratesRecoverAt);
        }
        if (gate.buckets.isEmpty() && cooling.size() >= MOST_COOLING) {
            var soonest = now.plus(FOR_A_KEY);
            var recovers = cooling.first().at;
            return Optional.of(recovers.isAfter(soonest) ? recovers : soonest);
        }
        return Optional.empty();
    }

    private static int most(Pass pass) {
        var settled = pass.gate.settled;
        return Math.min(
                pass.own.concurrent().orElse(Integer.MAX_VALUE),
                settled.isPresent()
                        ? settled.get().concurrent().orElse(Integer.MAX_VALUE)
                        : Integer.MAX_VALUE);
    }

    private static List<Rate> rates(Pass pass) {
        var settled = pass.gate.settled.flatMap(SharedLimit::rate);
        if (settled.isEmpty()) {
            return pass.own.rate().map(List::of).orElse(List.of());
        }
        return pass.own.rate().isEmpty() || pass.own.rate().equals(settled)
                ? List.of(settled.get())
                : List.of(settled.get(), pass.own.rate().get());
    }

    /// Whether no rate can be added without forgetting one that has not recovered.
    private boolean isFullOfRates(Gate gate) {
        if (gate.buckets.size() < MOST_RATES) {
            return false;
        }
        if (!now.isBefore(gate.ratesRecoverAt)) {
            forgetRecovered(gate);
            gate.ratesRecoverAt =
                    gate.buckets.values().stream()
                            .map(bucket -> bucket.fullAt(now))
                            .min(Comparator.naturalOrder())
                            .orElse(now);
        }
        return gate.buckets.size() >= MOST_RATES;
    }

    private void forgetRecovered(Gate gate) {
        // A full bucket is what a new one is.
        gate.buckets.values().removeIf(bucket -> bucket.isFull(now));
        gate.ratesBeforeSweep = Math.max(FEW_RATES, gate.buckets.size() * 2);
    }

    private Bucket bucket(Gate gate, Rate rate) {
        var known = gate.buckets.get(rate);
        if (known != null) {
            return known;
        }
        if (gate.buckets.size() >= gate.ratesBeforeSweep) {
            forgetRecovered(gate);
        }
        var bucket = new Bucket(rate, now);
        gate.buckets.put(rate, bucket);
        return bucket;
    }

    /// Waits at the limit of `pass` until it may have room.
    void park(Pass pass, Waiter waiter) {
        var gate = pass.gate;
        gate.waiting.add(waiter);
        var closed = closed(pass);
        if (closed != null) {
            closed.until().ifPresent(at -> arm(gate, at));
        }
    }

    void unpark(Gate gate, Waiter waiter) {
        gate.waiting.remove(waiter);
        forgetIfUnused(gate);
    }

    private void arm(Gate gate, Instant at) {
        if (gate.timer == null || at.isBefore(gate.timer.at)) {
            disarm(gate);
            gate.timer = new Timer(at, gate.key, gate);
            timers.add(gate.timer);
        }
    }

    private void disarm(Gate gate) {
        if (gate.timer != null) {
            timers.remove(gate.timer);
            gate.timer = null;
        }
    }

    /// A task takes up a slot.
    void take(TaskOutline task) {
        for (var pass : all(task)) {
            pass.gate.used++;
            for (var rate : rates(pass)) {
                var bucket = bucket(pass.gate, rate);
                bucket.fill(now);
                bucket.tokens = Math.max(0, bucket.tokens - 1);
            }
        }
    }

    /// A task takes up no slot any more.
    void free(TaskOutline task) {
        for (var pass : all(task)) {
            var gate = pass.gate;
            gate.used--;
            if (!gate.waiting.isEmpty()) {
                opened.add(gate);
            }
            forgetIfUnused(gate);
        }
    }

    /// A task was not given out after all.
    void giveBack(TaskOutline task) {
        for (var pass : all(task)) {
            for (var rate : rates(pass)) {
                var bucket = bucket(pass.gate, rate);
                bucket.tokens = Math.min(rate.burst(), bucket.tokens + 1);
            }
        }
    }

    /// Counts anew what takes up slots, since other keys may be limited now.
    void recount(Iterable<TaskOutline> tasks) {
        gates.values().forEach(gate -> gate.used = 0);
        for (var task : tasks) {
            all(task).forEach(pass -> pass.gate.used++);
        }
        List.copyOf(gates.values()).forEach(this::forgetIfUnused);
    }

    private List<Pass> all(TaskOutline task) {
        var common = common(task.type(), task.blueprint());
        var named = named(task.limits());
        if (common.isEmpty() || named.isEmpty()) {
            return common.isEmpty() ? named : common;
        }
        var all = new ArrayList<>(common);
        all.addAll(named);
        return all;
    }

    /// Lets those look again whose limits may have room, and returns whose tasks they are; empty if there are none.
    SequencedSet<DemandClass> wake() {
        while (!timers.isEmpty() && !timers.first().at.isAfter(now)) {
            var gate = timers.first().gate;
            disarm(gate);
            opened.add(gate);
        }
        if (opened.isEmpty()) {
            return new LinkedHashSet<>(0);
        }
        var awake = new LinkedHashSet<DemandClass>();
        for (var gate : List.copyOf(opened)) {
            opened.remove(gate);
            for (var i = 0; i < AT_ONCE && !gate.waiting.isEmpty(); i++) {
                var waiter = gate.waiting.removeFirst();
                waiter.lookAgain();
                awake.add(waiter.demand());
            }
            if (!gate.waiting.isEmpty()) {
                arm(gate, now.plus(SOON));
            }
            forgetIfUnused(gate);
        }
        return awake;
    }

    /// When time has something to do; empty if nothing waits for it.
    Optional<Instant> next() {
        return timers.isEmpty() ? Optional.empty() : Optional.of(timers.first().at);
    }

    /// For each limited key how many tasks count against it, those without a task left out.
    SequencedMap<String, Integer> use() {
        var use = new LinkedHashMap<String, Integer>();
        gates.forEach((key, gate) -> {
            if (gate.used != 0) {
                use.put(key, gate.used);
            }
        });
        return use;
    }

    /// How many keys are known.
    int size() {
        return gates.size();
    }
}
