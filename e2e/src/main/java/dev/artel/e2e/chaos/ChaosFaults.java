package dev.artel.e2e.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/// Does one bad thing after another, chosen by the seed.
final class ChaosFaults {
    /// How many handlers may hang at a time, and how many jobs may take all memory: each costs a thread, or a process.
    /// How far the clock is set ahead or back at most: from one end to the other is less than the hour that compensation may take.
    private static final int CLOCK_SECONDS = 1_790;

    private static final int MOST_HUNG = 6;

    private static final int MOST_HOARDS = 3;

    private final Victims victims;
    private final Map<Act, Integer> done = new EnumMap<>(Act.class);
    private final List<Act> acts = new ArrayList<>();
    private final SplittableRandom random;
    private int hung;
    private int hoards;
    private int jars;

    /// What can be harmed.
    ///
    /// @param disk empty: it cannot be filled here
    /// @param clock empty: it cannot be set here
    /// @param jars the folder of blueprints
    record Victims(
            Supervised orchestrator,
            List<Supervised> workers,
            Optional<Disk> disk,
            Optional<Clock> clock,
            DatabaseLock database,
            Receiver receiver,
            Hostility hostility,
            Load saboteur,
            AcknowledgedJobs ledger,
            Path jars) {}

    /// @param without what is not to happen
    ChaosFaults(Victims victims, Set<Act> without, SplittableRandom random) {
        this.victims = victims;
        this.random = random;
        for (var act : Act.values()) {
            if (isPossible(act) && !without.contains(act)) {
                for (var i = 0; i < act.weight(); i++) {
                    acts.add(act);
                }
            }
        }
    }

    private boolean isPossible(Act act) {
        return switch (act) {
            case FILL_DISK -> victims.disk().isPresent();
            case SET_CLOCK -> victims.clock().isPresent();
            case KILL_ORCHESTRATOR,
                    FREEZE_ORCHESTRATOR,
                    KILL_WORKER,
                    FREEZE_WORKER,
                    LOCK_DATABASE,
                    HOLD_OLD_SNAPSHOT,
                    HANG_HANDLER,
                    EXHAUST_MEMORY,
                    BREAK_JAR,
                    SPOIL_RECEIVER,
                    PRY,
                    BABBLE,
                    FORGE,
                    DAWDLE ->
                    true;
        };
    }

    /// What does not happen: it is not possible on this machine, or not wanted.
    List<Act> missing() {
        return List.of(Act.values()).stream().filter(act -> !acts.contains(act)).toList();
    }

    /// Goes on until `until`, in nanoseconds of this machine's monotonic clock.
    void run(long until) throws IOException, InterruptedException {
        while (System.nanoTime() < until) {
            pause(50, 1_200);
            var act = acts.get(random.nextInt(acts.size()));
            perform(act, until);
            done.merge(act, 1, Integer::sum);
        }
    }

    private void perform(Act act, long until) throws IOException, InterruptedException {
        switch (act) {
            case KILL_ORCHESTRATOR -> victims.orchestrator().kill();
            case FREEZE_ORCHESTRATOR -> victims.orchestrator().freeze(time(200, 9_000));
            case KILL_WORKER -> worker().kill();
            case FREEZE_WORKER -> worker().freeze(time(200, 8_000));
            case FILL_DISK -> {
                victims.disk().orElseThrow().fill();
                pause(500, 4_000);
                victims.disk().orElseThrow().free();
            }
            case LOCK_DATABASE -> victims.database().write(time(100, 7_000));
            case HOLD_OLD_SNAPSHOT -> victims.database().read(time(500, 7_000));
            case SET_CLOCK ->
                    victims.clock()
                            .orElseThrow()
                            .set(
                                    Duration.ofSeconds(
                                            random.nextLong(-CLOCK_SECONDS, CLOCK_SECONDS)));
            case HANG_HANDLER -> hang(until);
            case EXHAUST_MEMORY -> hoard(until);
            case BREAK_JAR -> breakJar();
            case SPOIL_RECEIVER -> {
                var moods = Receiver.Mood.values();
                victims.receiver().is(moods[random.nextInt(moods.length)]);
            }
            case PRY -> onVictim(victims.hostility()::pry);
            case BABBLE -> victims.hostility().babble();
            case FORGE -> onVictim(victims.hostility()::forge);
            case DAWDLE -> dawdle();
        }
    }

    private void hang(long until) throws InterruptedException {
        if (hung < MOST_HUNG) {
            hung++;
            var jobKind = random.nextBoolean() ? JobKind.ENDLESS_LOOP : JobKind.DEAF;
            var _ = victims.saboteur().submit(jobKind, () -> System.nanoTime() < until);
        }
    }

    private void hoard(long until) throws InterruptedException {
        if (hoards < MOST_HOARDS) {
            hoards++;
            var _ = victims.saboteur().submit(JobKind.HOARD, () -> System.nanoTime() < until);
        }
    }

    /// A file that is no jar, and one that ends too soon; the next start finds them.
    private void breakJar() throws IOException {
        var bytes = new byte[random.nextInt(4_000)];
        for (var i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) random.nextInt();
        }
        try {
            Files.write(victims.jars().resolve("broken-" + jars++ % 3 + ".jar"), bytes);
        } catch (IOException full) {
            // On a full disk there is nothing to break.
            return;
        }
    }

    private void dawdle() {
        try {
            victims.hostility().dawdle(time(200, 2_000));
        } catch (IOException refused) {
            // The orchestrator is away, or has had enough of it.
            return;
        }
    }

    /// What somebody does to a job of somebody else.
    private interface Crime {
        void against(AcknowledgedJobs.Entry victim) throws InterruptedException;
    }

    private void onVictim(Crime crime) throws InterruptedException {
        var others =
                victims.ledger().jobs().stream()
                        .filter(job -> job.client().equals("alpha"))
                        .toList();
        if (!others.isEmpty()) {
            crime.against(others.get(random.nextInt(others.size())));
        }
    }

    private Supervised worker() {
        return victims.workers().get(random.nextInt(victims.workers().size()));
    }

    private Duration time(int least, int most) {
        return Duration.ofMillis(random.nextLong(least, most));
    }

    private void pause(int least, int most) {
        LockSupport.parkNanos(time(least, most).toNanos());
    }

    /// Compensates all that can be compensated.
    void end() throws IOException {
        victims.receiver().is(Receiver.Mood.GOOD);
        if (victims.disk().isPresent()) {
            victims.disk().get().free();
        }
        if (victims.clock().isPresent()) {
            victims.clock().get().settle();
        }
    }

    /// How often each was done.
    Map<Act, Integer> done() {
        return done;
    }
}
