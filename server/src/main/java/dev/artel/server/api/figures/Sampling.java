package dev.artel.server.api.figures;

import dev.artel.engine.shell.Schedule;
import java.time.Duration;
import java.time.InstantSource;

/// Takes up, once a second, what is counted over time, and once a minute lets what is too old go. Takes some microseconds.
public final class Sampling implements AutoCloseable {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int TURN = 60;

    private final Schedule schedule = new Schedule("artel-figures");
    private int seconds;

    /// Begins.
    public static Sampling start(Throughput throughput, TaskTimes times, InstantSource clock) {
        var sampling = new Sampling();
        sampling.schedule.repeat(
                SECOND,
                () -> {
                    throughput.sample(clock.instant());
                    sampling.seconds++;
                    if (sampling.seconds == TURN) {
                        sampling.seconds = 0;
                        times.turn();
                    }
                });
        return sampling;
    }

    private Sampling() {}

    @Override
    public void close() {
        schedule.close();
    }
}
