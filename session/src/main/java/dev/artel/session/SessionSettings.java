package dev.artel.session;

import java.time.Duration;

/// The terms of the conversation with workers.
///
/// @param lease how long a worker that does not ask for another term holds a task without a sign of life
/// @param hold how long a poll waits for a task; below the 35 s after which workers give up
/// @param silence after how much silence a worker is gone that sends nothing but heartbeats
/// @param grace how much longer than its term a worker may be silent that renews its leases itself
/// @param cancelTimeout how long a worker may ignore a cancel before its slot is taken for free
/// @param limits how much is kept for workers
public record SessionSettings(
        Duration lease,
        Duration hold,
        Duration silence,
        Duration grace,
        Duration cancelTimeout,
        Limits limits) {
    /// A minute's lease, 30 s of waiting, two minutes of silence.
    public static final SessionSettings DEFAULTS =
            new SessionSettings(
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(120),
                    Duration.ofSeconds(30),
                    Duration.ofMinutes(10),
                    Limits.DEFAULTS);

    /// How much is kept for workers.
    ///
    /// @param workers how many workers are served at once
    /// @param remembered of how many that are gone the last words are kept
    /// @param pollsPerWorker how many polls of one worker wait at once
    /// @param polls how many polls wait at once
    /// @param tasksPerPoll how many tasks one poll may bring
    /// @param statusBytes how much memory what workers declare about themselves may take, of all of them together
    public record Limits(
            int workers,
            int remembered,
            int pollsPerWorker,
            int polls,
            int tasksPerPoll,
            long statusBytes) {
        /// For a fleet of some ten thousand.
        public static final Limits DEFAULTS =
                new Limits(20_000, 20_000, 16, 40_000, 100, 512L << 20);

        /// Refuses limits with which nothing works.
        public Limits {
            require(workers >= 1, "session.limits.workers must be at least 1, was " + workers);
            require(
                    remembered >= 0,
                    "session.limits.remembered must be at least 0, was " + remembered);
            require(
                    pollsPerWorker >= 1,
                    "session.limits.polls-per-worker must be at least 1, was " + pollsPerWorker);
            require(polls >= 1, "session.limits.polls must be at least 1, was " + polls);
            require(
                    tasksPerPoll >= 1,
                    "session.limits.tasks-per-poll must be at least 1, was " + tasksPerPoll);
            require(
                    statusBytes >= 1,
                    "the memory for what workers declare must be positive, was " + statusBytes);
        }

        /// With other memory for what workers declare about themselves, in bytes.
        public Limits withStatusBytes(long bytes) {
            return new Limits(workers, remembered, pollsPerWorker, polls, tasksPerPoll, bytes);
        }
    }

    /// Refuses terms that no worker can keep.
    public SessionSettings {
        require(lease.isPositive(), "session.lease must be positive, was " + lease);
        require(
                hold.isPositive() && hold.compareTo(Duration.ofSeconds(35)) < 0,
                "session.hold must be positive and below PT35S, was " + hold);
        require(silence.isPositive(), "session.silence must be positive, was " + silence);
        require(!grace.isNegative(), "session.grace must not be negative, was " + grace);
        require(
                cancelTimeout.isPositive(),
                "session.cancel-timeout must be positive, was " + cancelTimeout);
    }

    /// With other limits.
    public SessionSettings withLimits(Limits other) {
        return new SessionSettings(lease, hold, silence, grace, cancelTimeout, other);
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
