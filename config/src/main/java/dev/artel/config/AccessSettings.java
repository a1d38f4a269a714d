package dev.artel.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// Who may speak to the orchestrator, and how often.
///
/// @param clients the file of clients; empty: `clients.toml` in the data folder, if it is there
/// @param workers the file of workers; empty: `workers.toml` in the data folder, if it is there
/// @param sharedWorkerToken whether workers that the file does not name may use the token of all workers
/// @param connections how many connections of workers stay open under one token for all of them; 0: as many as come
/// @param rates how often they may ask
/// @param sessions how long people stay logged in at the dashboard
public record AccessSettings(
        Optional<Path> clients,
        Optional<Path> workers,
        boolean sharedWorkerToken,
        int connections,
        Rates rates,
        SessionTimes sessions) {
    /// The files of the data folder, 20,000 connections, and the default rates and times.
    public static final AccessSettings DEFAULTS =
            new AccessSettings(
                    Optional.empty(),
                    Optional.empty(),
                    true,
                    20_000,
                    Rates.DEFAULTS,
                    SessionTimes.DEFAULTS);

    /// Refuses what cannot work.
    public AccessSettings {
        Rates.atLeast("access.connections-per-token", connections, 0);
    }

    /// How long a session of the dashboard goes on.
    ///
    /// @param idle one without a request and without an open stream for so long ends
    /// @param longest one ends after so long in any case
    public record SessionTimes(Duration idle, Duration longest) {
        /// 12 hours without use, and 7 days.
        public static final SessionTimes DEFAULTS =
                new SessionTimes(Duration.ofHours(12), Duration.ofDays(7));

        /// Refuses what cannot work.
        public SessionTimes {
            positive("access.sessions.idle", idle);
            positive("access.sessions.longest", longest);
        }

        private static void positive(String key, Duration time) {
            if (!time.isPositive()) {
                throw new IllegalArgumentException(key + " must be positive, was " + time);
            }
        }

        /// These times with another one without use.
        public SessionTimes withIdle(Duration time) {
            return new SessionTimes(time, longest);
        }

        /// These times with another one in all.
        public SessionTimes withLongest(Duration time) {
            return new SessionTimes(idle, time);
        }
    }

    /// Requests a minute; as many may come at once. 0: as many as they like.
    ///
    /// @param heartbeats of each worker
    /// @param polls of each worker; those that bring a task do not count
    /// @param others of each worker; accepted results do not count
    /// @param clients of each client whose table sets no other, and that is no operator
    /// @param bytes of large values and lines of logs that each worker sends
    /// @param known how many workers and clients are counted at once; who was silent for longest is forgotten
    public record Rates(int heartbeats, int polls, int others, int clients, int bytes, int known) {
        /// Generous for workers, and for clients such that one cannot take all there is.
        public static final Rates DEFAULTS = new Rates(120, 600, 600, 12_000, 512 << 20, 100_000);

        /// Refuses what cannot work.
        public Rates {
            atLeast("access.rates.heartbeats", heartbeats, 0);
            atLeast("access.rates.polls", polls, 0);
            atLeast("access.rates.others", others, 0);
            atLeast("access.rates.clients", clients, 0);
            atLeast("access.rates.bytes", bytes, 0);
            atLeast("access.rates.known", known, 1);
        }

        // Not one of the settings around: those are initialized with these rates.
        private static void atLeast(String key, int value, int least) {
            if (value < least) {
                throw new IllegalArgumentException(
                        key + " must be at least " + least + ", was " + value);
            }
        }

        /// These rates with others of heartbeats.
        public Rates withHeartbeats(int most) {
            return new Rates(most, polls, others, clients, bytes, known);
        }

        /// These rates with others of polls.
        public Rates withPolls(int most) {
            return new Rates(heartbeats, most, others, clients, bytes, known);
        }

        /// These rates with others of all else that workers ask.
        public Rates withOthers(int most) {
            return new Rates(heartbeats, polls, most, clients, bytes, known);
        }

        /// These rates with others of clients.
        public Rates withClients(int most) {
            return new Rates(heartbeats, polls, others, most, bytes, known);
        }

        /// These rates with others of what workers send.
        public Rates withBytes(int most) {
            return new Rates(heartbeats, polls, others, clients, most, known);
        }

        /// These rates, counted for so many.
        public Rates withKnown(int most) {
            return new Rates(heartbeats, polls, others, clients, bytes, most);
        }
    }

    /// These settings with another file of clients.
    public AccessSettings withClients(Path file) {
        return new AccessSettings(
                Optional.of(file), workers, sharedWorkerToken, connections, rates, sessions);
    }

    /// These settings with another file of workers.
    public AccessSettings withWorkers(Path file) {
        return new AccessSettings(
                clients, Optional.of(file), sharedWorkerToken, connections, rates, sessions);
    }

    /// These settings with or without a token for all workers.
    public AccessSettings withSharedWorkerToken(boolean allowed) {
        return new AccessSettings(clients, workers, allowed, connections, rates, sessions);
    }

    /// These settings with another number of connections under one token.
    public AccessSettings withConnections(int most) {
        return new AccessSettings(clients, workers, sharedWorkerToken, most, rates, sessions);
    }

    /// These settings with other rates.
    public AccessSettings withRates(Rates other) {
        return new AccessSettings(
                clients, workers, sharedWorkerToken, connections, other, sessions);
    }

    /// These settings with other times of sessions.
    public AccessSettings withSessions(SessionTimes other) {
        return new AccessSettings(clients, workers, sharedWorkerToken, connections, rates, other);
    }
}
