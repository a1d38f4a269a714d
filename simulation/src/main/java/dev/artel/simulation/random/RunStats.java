package dev.artel.simulation.random;

/// What happened in a simulation, so that one in which nothing happens is noticed.
///
/// @param jobs how many jobs there were
/// @param finished how many of them reached their end
/// @param events how many events became durable
/// @param appends in how many appends
/// @param steps how many things happened
/// @param crashes how often the orchestrator died
/// @param virtualMillis how long it took in virtual time
public record RunStats(
        long jobs,
        long finished,
        long events,
        long appends,
        long steps,
        long crashes,
        long virtualMillis) {
    /// Nothing.
    public static final RunStats NOTHING = new RunStats(0, 0, 0, 0, 0, 0, 0);

    /// Both together.
    public RunStats plus(RunStats other) {
        return new RunStats(
                jobs + other.jobs,
                finished + other.finished,
                events + other.events,
                appends + other.appends,
                steps + other.steps,
                crashes + other.crashes,
                virtualMillis + other.virtualMillis);
    }
}
