package dev.artel.kernel.blueprint;

/// Supervises the code of a handler that runs in other threads than the one in which the handler is called, as that of durable functions
/// does: time, processor and memory that it takes there are those of its job. Safe for use by many threads.
public interface HandlerWatch {
    /// Bound in the thread that calls a handler while it does; unbound where it is not supervised, as in a simulation.
    ScopedValue<HandlerWatch> CURRENT = ScopedValue.newInstance();

    /// Supervises nothing.
    HandlerWatch NONE = () -> Guest.UNWATCHED;

    /// The one of the handler that the calling thread has called, or [#NONE].
    static HandlerWatch current() {
        return CURRENT.orElse(NONE);
    }

    /// A place beside this handler for another thread, which has to enter it.
    Guest guest();

    /// Another thread that runs code of the handler; one at a time beside a handler. Its methods are called in that thread.
    interface Guest {
        /// Supervises nothing.
        Guest UNWATCHED =
                new Guest() {
                    @Override
                    public void enter() {
                        // it is not supervised
                    }

                    @Override
                    public void leave() {
                        // it is not supervised
                    }

                    @Override
                    public void unwind() {
                        // it is not supervised
                    }
                };

        /// The calling thread runs the code from now on, and the thread of the handler waits for it. What it uses is used by the
        /// handler, and the time of the handler is its own; the handler hands on the interrupt.
        void enter();

        /// The calling thread runs none of the code any more: it parks, or ends.
        void leave();

        /// The calling thread, which has left, runs the code again although no handler waits for it, and only to end; it leaves when
        /// it has. It takes no place, has a short time for it, is interrupted then, and is abandoned as handlers are if it goes on.
        void unwind();
    }
}
