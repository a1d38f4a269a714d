package dev.artel.kernel.attempt;

/// Why a lease ended without a report.
public sealed interface LeaseEnd {
    /// The worker may have begun: counted as a lost attempt.
    enum Lost implements LeaseEnd {
        /// The lease was not renewed in time.
        EXPIRED("the lease was not renewed in time"),
        /// The worker has gone silent or its connection is gone for too long.
        WORKER_GONE("the worker is gone"),
        /// The worker registered again as a new process.
        WORKER_RESTARTED("another process registered under the worker's name"),
        /// The worker's reports of its load never confirmed the hand-out.
        UNCONFIRMED("the worker's load never confirmed the hand-out");

        private final String text;

        Lost(String text) {
            this.text = text;
        }

        @Override
        public String text() {
            return text;
        }
    }

    /// The worker has not begun: not counted, queued again.
    enum Returned implements LeaseEnd {
        /// The hand-out did not reach the worker.
        NOT_RECEIVED("the hand-out did not reach the worker"),
        /// The orchestrator did not send it: the answer to the poll was full.
        NOT_SENT("the answer to the poll had no room for the large parameters of the task"),
        /// The orchestrator did not send it: other large values have its memory.
        NO_ROOM("the orchestrator had no room in memory for the large parameters of the task"),
        /// The worker gave the task back unstarted.
        RELEASED("the worker gave the task back"),
        /// The worker drains.
        DRAINED("the worker drains");

        private final String text;

        Returned(String text) {
            this.text = text;
        }

        /// Whether the worker has no part in it.
        public boolean isOfOrchestrator() {
            return this == NOT_SENT || this == NO_ROOM;
        }

        @Override
        public String text() {
            return text;
        }
    }

    /// The reason in words.
    String text();

    /// The name of the constant, as events and wires write it.
    String name();
}
