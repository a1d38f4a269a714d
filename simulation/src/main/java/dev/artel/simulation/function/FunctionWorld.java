package dev.artel.simulation.function;

import java.util.List;

/// What a [RandomProgram] asks for: of a durable function, or of a world in which nothing fails and no time passes.
interface FunctionWorld {
    /// Has a task done.
    long call(boolean isSlow, long n);

    /// Begins a task; [#await] gives the results in the order in which they began.
    void begin(boolean isSlow, long n);

    long await();

    List<Long> all(List<Long> numbers);

    List<Long> map(List<Long> numbers);

    /// Waits for the first of what has begun, or of a timer.
    void anyOf();

    void sleep(long millis);

    /// Runs a child, which is a function as well.
    long child(long n);

    /// Begins a child, whose result [#await] gives.
    void beginChild(long n);

    List<Long> mapChildren(List<Long> numbers);

    /// Starts a child that lives by itself.
    void start(long n);

    /// A child that fails, and is caught.
    ///
    /// @return true if it has failed
    boolean childFails(long n);

    /// A task whose first attempt fails.
    long retried(long n);

    /// A task that fails for good, and is caught.
    ///
    /// @return true if it has failed
    boolean taskFails(long n);

    /// What the signal `name` brings; it may be sent before it is waited for.
    long signal(String name);

    /// Waits for a signal that nobody sends.
    ///
    /// @return true if it did not come
    boolean noSignal(String name);

    /// Whether a person approves of it.
    boolean isApproved(long n);

    /// A task that is given a value which differs whenever the code runs, unless it is recorded; so a run that comes to another value asks for
    /// another task than its history has.
    ///
    /// @return its result, in which the value has no part
    long marked(Varying what, long n);

    /// What differs from run to run.
    enum Varying {
        TIME,
        RANDOM,
        RECORD,
        VERSION
    }
}
