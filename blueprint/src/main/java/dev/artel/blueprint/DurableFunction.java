package dev.artel.blueprint;

/// A job as one piece of code. It is run from its beginning again whenever it is not in memory, with what its [Run] returned before, so
/// that it comes to where it was: between two calls of the run it must compute alone, and depend on nothing but its input and what the
/// run returned. Time, random numbers and anything else from outside come from [Run#now], [Run#random] and [Run#record]; it must not
/// block, start threads or hand its run to another one. Implementations must be safe for use by many threads.
///
/// It may be ended at any call of its run, by an [Error] that it must let pass; what stands in a `finally` runs then as well, and each
/// further call of the run throws the same.
@FunctionalInterface
public interface DurableFunction<I, O> {
    /// Runs the job.
    ///
    /// @return the job's result
    /// @throws Exception a [RunFailed] fails the job; any other exception is a failure of the code, which is run again and then waits
    ///     in quarantine for code that fits
    O run(Run<I> run, I input) throws Exception;
}
