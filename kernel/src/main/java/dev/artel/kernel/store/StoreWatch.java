package dev.artel.kernel.store;

import java.time.Duration;

/// Watches over the threads of a store, and names one that hangs. Safe for use by many threads.
@FunctionalInterface
public interface StoreWatch {
    /// A part that is watched from now on.
    ///
    /// @param part its name
    /// @param most how long it may be at one thing
    Pulse part(String part, Duration most);

    /// Reports what a part does, one thing at a time.
    interface Pulse {
        /// Of a part that is not watched.
        Pulse NONE =
                new Pulse() {
                    @Override
                    public void begin() {}

                    @Override
                    public void rest() {}
                };

        /// The calling thread begins with something, or with the next thing.
        void begin();

        /// It is done.
        void rest();
    }
}
