package dev.artel.e2e.chaos;

/// Something bad that happens.
enum Act {
    KILL_ORCHESTRATOR(6),
    FREEZE_ORCHESTRATOR(4),
    KILL_WORKER(6),
    FREEZE_WORKER(6),
    FILL_DISK(3),
    LOCK_DATABASE(4),
    HOLD_OLD_SNAPSHOT(3),
    SET_CLOCK(4),
    HANG_HANDLER(2),
    EXHAUST_MEMORY(1),
    BREAK_JAR(2),
    SPOIL_RECEIVER(4),
    PRY(6),
    BABBLE(4),
    FORGE(6),
    DAWDLE(3);

    private final int weight;

    Act(int weight) {
        this.weight = weight;
    }

    /// How often it happens, among all weights.
    int weight() {
        return weight;
    }
}
