package dev.artel.kernel.store;

import org.jspecify.annotations.Nullable;

/// The store failed as a whole; the cases differ in what the caller does next.
public sealed class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private StoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /// The outcome is unknown: read before trying again.
    public static sealed class StoreUnavailable extends StoreException {
        private static final long serialVersionUID = 1;

        /// `message` states what was attempted, what was found and what to do.
        public StoreUnavailable(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /// Another program holds the lock of the store. Works again by itself once that gives it back.
    public static final class StoreLocked extends StoreUnavailable {
        private static final long serialVersionUID = 1;

        /// `message` states what was attempted, what was found and what to do.
        public StoreLocked(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /// There is no room; nothing was written. Works again by itself once there is.
    public static final class StoreFull extends StoreException {
        private static final long serialVersionUID = 1;

        /// `message` states what was attempted, what was found and what to do.
        public StoreFull(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /// What is stored cannot be read: a person must look.
    public static final class StoreCorrupt extends StoreException {
        private static final long serialVersionUID = 1;

        /// `message` states what was attempted, what was found and what to do.
        public StoreCorrupt(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }
}
