package dev.artel.engine.core.dispatch;

/// Which tasks are looked for: those of some demand classes that no limit keeps. Single-threaded; used again and again.
final class Search {
    private long number;
    private long bits;

    /// Looks for nothing yet.
    Search begin() {
        number++;
        bits = 0;
        return this;
    }

    /// Looks for tasks of `demand` as well, if there are some that no limit keeps.
    void want(DemandClass demand) {
        if (demand.queue.mayGo()) {
            demand.wantedBy = number;
            bits |= demand.queue.bits();
        }
    }

    /// The bits that what is looked for has, and maybe other tasks.
    long bits() {
        return bits;
    }

    /// Whether the tasks of `group` are looked for. Those that a limit turns out to keep wait at it from now on.
    boolean wants(TaskQueue.Group group) {
        return group.demand().wantedBy == number && group.mayGo();
    }
}
