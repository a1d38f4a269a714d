package dev.artel.gateway.mindbus;

/// The answers that waited when the queue of replies was opened, until all of them are read: not all are delivered, as some expire on the way.
/// Safe for use by many threads.
final class WaitingAnswers {
    private final Runnable onRead;

    /// How many may still come.
    private int left;

    /// How many have come and are not done with.
    private int unsettled;

    private boolean areRead;

    /// @param waiting how many there were, as the broker has it
    /// @param onRead called once
    WaitingAnswers(int waiting, Runnable onRead) {
        left = waiting;
        this.onRead = onRead;
    }

    /// An answer has come, whether it had waited or not.
    synchronized void received() {
        unsettled++;
    }

    /// An answer is done with.
    void settled() {
        look(true, Integer.MAX_VALUE);
    }

    /// So many wait at the broker at this moment.
    void waiting(int messages) {
        look(false, messages);
    }

    private void look(boolean isSettled, int waiting) {
        synchronized (this) {
            if (isSettled) {
                left--;
                unsettled--;
            }
            if (areRead || (left > 0 && (waiting > 0 || unsettled > 0))) {
                return;
            }
            areRead = true;
        }
        onRead.run();
    }
}
