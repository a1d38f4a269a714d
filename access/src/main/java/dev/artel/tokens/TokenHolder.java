package dev.artel.tokens;

/// Who may use a token.
public sealed interface TokenHolder {
    /// A client.
    record Client(String name) implements TokenHolder {
        @Override
        public String toString() {
            return "client " + name;
        }
    }

    /// One worker.
    record Worker(String id) implements TokenHolder {
        @Override
        public String toString() {
            return "worker " + id;
        }
    }

    /// All workers that have no token of their own.
    record AllWorkers() implements TokenHolder {
        @Override
        public String toString() {
            return "workers";
        }
    }
}
