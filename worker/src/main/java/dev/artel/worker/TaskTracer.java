package dev.artel.worker;

/// Surrounds the handlers of a worker, for a library that traces. Must not throw, and is called by many threads.
///
/// The context in which a span belongs is that of [TaskContext#tracingContext]. Handlers in a [ProcessPool] run elsewhere: there the span
/// is around the call of the process.
@FunctionalInterface
public interface TaskTracer {
    /// Does nothing.
    TaskTracer NONE = _ -> TaskSpan.NONE;

    /// The handler of `task` is about to be called, on this thread.
    TaskSpan begin(TaskContext task);

    /// Around one run of a handler.
    interface TaskSpan {
        /// Does nothing.
        TaskSpan NONE = () -> {};

        /// The handler has thrown. [#end] follows.
        default void failed(Throwable thrown) {}

        /// The handler is over, on the thread that began it. Called once.
        void end();
    }
}
