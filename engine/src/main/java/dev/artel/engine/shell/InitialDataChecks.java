package dev.artel.engine.shell;

import dev.artel.json.bind.Mismatch;
import dev.artel.kernel.engine.Submission;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Sees where handlers run whether initial data fit their blueprint, since that runs an author's code; a limited number at once. Safe for
/// use by many threads.
final class InitialDataChecks {
    /// How many checks of a blueprint wait or run at once. A client, who has half of that, can submit a thousand jobs in one request.
    static final int MOST = 2_048;

    /// How long a check may take, and how long it is waited for.
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Blueprints blueprints;
    private final HandlerPool pool;

    /// By blueprint, then by client: how many wait or run; also the lock of all in it.
    private final Map<String, Map<String, Integer>> underWay = new HashMap<>();

    InitialDataChecks(Blueprints blueprints, HandlerPool pool) {
        this.blueprints = blueprints;
        this.pool = pool;
    }

    /// What a check has found.
    sealed interface Finding {
        /// The data were compared.
        ///
        /// @param mismatches everything that keeps the data from fitting; none if they fit
        record Checked(List<Mismatch> mismatches) implements Finding {
            /// Copies `mismatches`.
            public Checked {
                mismatches = List.copyOf(mismatches);
            }
        }

        /// It cannot be known at this moment.
        ///
        /// @param why for people
        record NotNow(String why) implements Finding {}
    }

    /// Whether the initial data of `submission` fit what its blueprint wants.
    Finding check(Submission submission) {
        if (!blueprints.hasInitialData(submission)) {
            return new Finding.Checked(List.of());
        }
        var obstacle = enter(submission);
        if (obstacle.isPresent()) {
            return new Finding.NotNow(obstacle.get());
        }
        var check = new Check(submission);
        pool.submit(submission.blueprint(), check);
        return check.await();
    }

    private Optional<String> enter(Submission submission) {
        synchronized (underWay) {
            var clients = underWay.computeIfAbsent(submission.blueprint(), _ -> new HashMap<>());
            var all = clients.values().stream().mapToInt(Integer::intValue).sum();
            if (all >= MOST) {
                return Optional.of(
                        "the initial data of "
                                + all
                                + " submissions wait to be compared with blueprint '"
                                + submission.blueprint()
                                + "', as many as may; send it again");
            }
            var own = clients.getOrDefault(submission.client(), 0);
            if (own >= MOST / 2) {
                return Optional.of(
                        "the initial data of "
                                + own
                                + " submissions of client '"
                                + submission.client()
                                + "' wait to be compared with blueprint '"
                                + submission.blueprint()
                                + "', as many as may of one client; send it again");
            }
            clients.put(submission.client(), own + 1);
            return Optional.empty();
        }
    }

    private void leave(String blueprint, String client) {
        synchronized (underWay) {
            var clients = underWay.get(blueprint);
            if (clients != null) {
                clients.computeIfPresent(client, (_, own) -> own == 1 ? null : own - 1);
                if (clients.isEmpty()) {
                    underWay.remove(blueprint);
                }
            }
        }
    }

    /// One check, which counts until it has run: one that no caller waits for any more is still in the queue.
    private final class Check implements HandlerPool.Task {
        private final String blueprint;
        private final String client;
        private final CompletableFuture<List<Mismatch>> found = new CompletableFuture<>();

        /// Empty: no caller waits for the answer any more.
        private volatile Optional<Submission> submission;

        Check(Submission submission) {
            this.submission = Optional.of(submission);
            blueprint = submission.blueprint();
            client = submission.client();
        }

        @Override
        public String what() {
            return "the initial data of blueprint " + blueprint;
        }

        @Override
        public String client() {
            return client;
        }

        @Override
        public Duration most() {
            return TIMEOUT;
        }

        @Override
        @SuppressWarnings("IllegalCatch") // an author's code; the caller gets the outcome
        public void run(HandlerPool.Run run) {
            try {
                submission.ifPresent(it -> found.complete(blueprints.mismatches(it)));
            } catch (Throwable failure) {
                found.completeExceptionally(failure);
            } finally {
                leave(blueprint, client);
            }
            var _ = run.ended();
        }

        @Override
        public void late() {
            // the caller has waited no longer than that
        }

        Finding await() {
            try {
                return new Finding.Checked(found.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS));
            } catch (TimeoutException busy) {
                return notInTime();
            } catch (ExecutionException failed) {
                return failed.getCause() instanceof OutOfMemoryError
                        ? notInTime()
                        : new Finding.Checked(
                                List.of(
                                        new Mismatch(
                                                "initial_data",
                                                "it cannot be read: " + failed.getCause())));
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
                return notInTime();
            } finally {
                submission = Optional.empty();
            }
        }

        private Finding notInTime() {
            return new Finding.NotNow(
                    "it could not be checked in time whether the initial data fit blueprint '"
                            + blueprint
                            + "', whose handlers are busy; send it again");
        }
    }
}
