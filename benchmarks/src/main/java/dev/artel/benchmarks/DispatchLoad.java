package dev.artel.benchmarks;

/// What a [DispatchWorkload] asks of a coordinator.
///
/// @param workers of the fleet, all of whose slots are occupied at first
/// @param demandClasses how many kinds of tasks there are; one of each is queued at first
/// @param firstFrees how many slots are freed after that, each of a worker that is drawn by lot
/// @param clients whose the jobs are, by turns; 1: all are of the client without a name
/// @param arrivals how many tasks come one by one, beside slots that are freed anywhere
/// @param briefTasks how many tasks come one by one, each of which ends as soon as it is placed, so that the fleet stays as
///     free as it is
/// @param queuedTasks how many tasks are queued before slots are freed for them
/// @param freedSlots how many slots are freed one by one for the queued tasks
record DispatchLoad(
        int workers,
        int demandClasses,
        int firstFrees,
        int clients,
        int arrivals,
        int briefTasks,
        int queuedTasks,
        int freedSlots) {
    /// 5 % of 10,000 workers are free; half of the tasks come to free workers, half wait for slots.
    static final DispatchLoad BUSY_FLEET =
            new DispatchLoad(10_000, 200, 500, 1, 50_000, 0, 100_000, 50_000);

    /// As many slots as leave 95 % of the workers with a free one: the share of those who are never drawn is e^-3.
    static final DispatchLoad FREE_FLEET =
            new DispatchLoad(10_000, 200, 30_000, 1, 0, 50_000, 0, 0);

    /// [#BUSY_FLEET] with 5,000 classes, and as many free workers, once one task of each is queued.
    static final DispatchLoad MANY_CLASSES =
            new DispatchLoad(10_000, 5_000, 5_300, 1, 50_000, 0, 100_000, 50_000);

    /// 1,000,000 tasks of 10,000 jobs of 20 clients wait for slots.
    static final DispatchLoad LONG_QUEUE =
            new DispatchLoad(10_000, 200, 500, 20, 0, 0, 1_000_000, 10_000);

    private static final int SMALLER = 50;

    /// This load, a fiftieth of it for the smallest size.
    DispatchLoad of(Size size) {
        return size != Size.SMALL
                ? this
                : new DispatchLoad(
                        workers / SMALLER,
                        demandClasses / SMALLER,
                        firstFrees / SMALLER,
                        clients,
                        arrivals / SMALLER,
                        briefTasks / SMALLER,
                        queuedTasks / SMALLER,
                        freedSlots / SMALLER);
    }
}
