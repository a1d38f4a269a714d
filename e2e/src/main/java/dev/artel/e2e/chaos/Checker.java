package dev.artel.e2e.chaos;

import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/// Reads all histories when chaos is over: every acknowledged job ended exactly once and as its kind may, each outcome of a task
/// was applied once, each effect that a worker wrote down belongs to a lease of that task, and each webhook was called.
final class Checker {
    private static final int PAGE = 1_000;
    private static final int READERS = 8;

    private final Api operator;
    private final Findings findings;
    private final Receiver receiver;
    private final Map<String, Integer> ends = new HashMap<>();
    private final LongAdder outcomes = new LongAdder();

    /// @param operator who may see all jobs
    Checker(Api operator, Findings findings, Receiver receiver) {
        this.operator = operator;
        this.findings = findings;
        this.receiver = receiver;
    }

    /// Waits for the ends of all jobs.
    ///
    /// @param patience how long all of them together may take, and the calls of their webhooks
    /// @return those whose histories are to be read, with how they ended
    Map<Ledger.Entry, String> await(Ledger ledger, Duration patience) throws InterruptedException {
        var until = System.nanoTime() + patience.toNanos();
        var ended = new LinkedHashMap<Ledger.Entry, String>();
        for (var job : ledger.jobs()) {
            var status = awaitEnd(job, until);
            ends.merge(job.jobKind().blueprint() + " " + status, 1, Integer::sum);
            if (!job.jobKind().mayEnd(status)) {
                findings.add(
                        "a job of %s is %s: %s"
                                .formatted(job.jobKind(), status, explanation(job.id())));
                continue;
            }
            if (!job.jobKind().isHarmful()) {
                ended.put(job, status);
            }
        }
        awaitCalls(ledger, until);
        return ended;
    }

    /// Reads the histories of jobs that have ended.
    ///
    /// @param effects what workers had written down when all had ended
    ///
    /// @throws IllegalStateException if a history cannot be understood
    void check(Map<Ledger.Entry, String> ended, Effects effects) throws InterruptedException {
        var checks = new ArrayList<Callable<Void>>();
        ended.forEach((job, status) ->
                checks.add(() -> {
                    check(job, status, effects.of(job.id()));
                    return null;
                }));
        for (var job : effects.handOuts().keySet()) {
            checks.add(() -> {
                if (!exists(job)) {
                    findings.add("workers worked for a job that there is not: " + job);
                }
                return null;
            });
        }
        try (var readers = Executors.newFixedThreadPool(READERS)) {
            for (var check : readers.invokeAll(checks)) {
                check.get();
            }
        } catch (ExecutionException failed) {
            throw new IllegalStateException("a history cannot be checked", failed.getCause());
        }
    }

    /// How many jobs ended how, by blueprint and status.
    Map<String, Integer> ends() {
        return ends;
    }

    /// How many outcomes of tasks were applied.
    long outcomes() {
        return outcomes.sum();
    }

    private String awaitEnd(Ledger.Entry job, long until) throws InterruptedException {
        var last = "unknown";
        do {
            var reply = operator.get("/api/v1/jobs/" + job.id() + "?wait=10");
            if (reply.isPresent()) {
                last = status(reply.get());
                if (job.jobKind().mayEnd(last) || Set.of("finished", "failed").contains(last)) {
                    return last;
                }
            } else {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
            }
        } while (System.nanoTime() < until && !"missing".equals(last));
        return last;
    }

    private static String status(Api.Reply reply) {
        return switch (reply.status()) {
            case 200 -> reply.object().string("status").orElse("unknown");
            case 404 -> "missing";
            case 429, 502, 503, 504 -> "unknown";
            default -> "unreadable";
        };
    }

    private String explanation(String job) throws InterruptedException {
        return operator.get("/api/v1/jobs/" + job + "/explain")
                .map(Api.Reply::body)
                .map(text -> job + " " + text)
                .orElse(job + " (no answer)");
    }

    private boolean exists(String job) throws InterruptedException {
        return operator.get("/api/v1/jobs/" + job).filter(Api.Reply::isGood).isPresent();
    }

    private void check(Ledger.Entry job, String status, Map<Integer, Set<String>> seen)
            throws InterruptedException {
        var history = history(job.id());
        var ended = ofType("job.ended", history);
        if (ended.size() != 1) {
            findings.add(
                    "job "
                            + job.id()
                            + " ("
                            + job.jobKind()
                            + ") ended "
                            + ended.size()
                            + " times");
        }
        if (job.declined() != status.equals("failed")) {
            findings.add("job " + job.id() + " (" + job.jobKind() + ") is " + status);
        }
        var tasks = new HashSet<Long>();
        for (var success : ofType("task.succeeded", history)) {
            outcomes.increment();
            if (!tasks.add(task(success))) {
                findings.add("job " + job.id() + ": an outcome was applied twice");
            }
        }
        explain(job, history, tasks, seen);
    }

    /// Each effect belongs to a lease, and each task that succeeded has had an effect.
    private void explain(
            Ledger.Entry job,
            List<JsonObject> history,
            Set<Long> succeeded,
            Map<Integer, Set<String>> seen) {
        var leases = new HashMap<Long, Integer>();
        ofType("lease.granted", history)
                .forEach(granted -> leases.merge(task(granted), 1, Integer::sum));
        seen.forEach((task, handOuts) -> {
            if (handOuts.size() > leases.getOrDefault((long) task, 0)) {
                findings.add(
                        "job %s, task %d: %d effects, %d leases"
                                .formatted(
                                        job.id(),
                                        task,
                                        handOuts.size(),
                                        leases.getOrDefault((long) task, 0)));
            }
        });
        for (var task : succeeded) {
            if (!seen.containsKey(Math.toIntExact(task))) {
                findings.add("job " + job.id() + ", task " + task + " succeeded without an effect");
            }
        }
    }

    private List<JsonObject> history(String job) throws InterruptedException {
        var events = new ArrayList<JsonObject>();
        while (true) {
            var after = events.isEmpty() ? 0 : version(events.getLast());
            var path = "/api/v1/jobs/" + job + "/history?limit=" + PAGE + "&after=" + after;
            var page = operator.get(path).filter(Api.Reply::isGood);
            if (page.isEmpty()) {
                findings.add("the history of job " + job + " cannot be read");
                return events;
            }
            page.get().items().stream().map(JsonObject.class::cast).forEach(events::add);
            if (page.get().object().get("next_cursor").isEmpty()) {
                return events;
            }
        }
    }

    private static long version(JsonObject event) {
        return event.number("version").map(JsonNumber::asLong).orElse(0L);
    }

    private static long task(JsonObject event) {
        return event.number("task").map(JsonNumber::asLong).orElseThrow();
    }

    private static List<JsonObject> ofType(String type, List<JsonObject> history) {
        return history.stream()
                .filter(event -> event.string("type").equals(Optional.of(type)))
                .toList();
    }

    /// Calls come at least once, also those that were given back while the receiver was in a bad mood.
    private void awaitCalls(Ledger ledger, long until) {
        for (var job : ledger.jobs()) {
            if (!job.withWebhook() || job.jobKind().isHarmful()) {
                continue;
            }
            var event = job.declined() ? "job_failed" : "job_finished";
            while (!receiver.heardOf(job.id()).contains(event)) {
                if (System.nanoTime() > until) {
                    findings.add("the webhook of job " + job.id() + " never received " + event);
                    break;
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            }
        }
    }
}
