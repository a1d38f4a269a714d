package dev.artel.kernel.job;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Random lives of jobs; what must hold is in [Invariants], [Oracle] and [CooperativeWorld].
final class JobPropertyTest {
    private static final int COMMANDS = 80;

    static LongStream seeds() {
        var one = Long.getLong("seed");
        return one == null ? LongStream.range(0, Long.getLong("seeds", 300)) : LongStream.of(one);
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void everyLifeKeepsTheRules_andCanBeBroughtToItsEnd(long seed) {
        var job = new CheckedJob();
        var world = new RandomWorld(seed);
        try {
            for (var i = 0; i < COMMANDS; i++) {
                give(job, world.next(job));
            }
            finish(job);
        } catch (AssertionError | RuntimeException failure) {
            throw explained(seed, job, failure);
        }
    }

    private static void give(CheckedJob job, JobCommand command) {
        try {
            job.give(command);
        } catch (AssertionError | RuntimeException failure) {
            job.commands().add(command);
            throw failure;
        }
    }

    private static void finish(CheckedJob job) {
        job.checkReplay();
        if (job.state() instanceof Job) {
            new CooperativeWorld(job).bringToItsEnd();
            job.checkReplay();
        }
    }

    private static AssertionError explained(long seed, CheckedJob job, Throwable failure) {
        var shortest = Shrinking.shrink(List.copyOf(job.commands()), JobPropertyTest::live);
        return new AssertionError(
                "run again with -Dseed="
                        + seed
                        + "; fails with these commands:\n  "
                        + shortest.stream()
                                .map(Object::toString)
                                .collect(Collectors.joining("\n  "))
                        + "\n"
                        + failure.getMessage(),
                failure);
    }

    private static void live(List<JobCommand> commands) {
        var job = new CheckedJob();
        commands.forEach(job::give);
        finish(job);
    }
}
