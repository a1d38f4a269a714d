package dev.artel.waits;

import java.lang.management.ManagementFactory;
import java.time.Duration;

/// What a thread has computed: a claim about costs holds on a busy machine as well, where a claim about time does not.
public final class CpuTime {
    private CpuTime() {}

    /// Of the calling platform thread since it began.
    public static Duration ofThisThread() {
        return Duration.ofNanos(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime());
    }
}
