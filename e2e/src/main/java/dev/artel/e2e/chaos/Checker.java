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
import java.util.stream.Collectors;

/// Reads all histories when chaos is over: every acknowledged job ended exactly once and as its kind may, or, if it is one that does harm, waits in
/// quarantine without an end; each outcome of a task was applied once, each effect that a worker wrote down belongs to the very lease under which that worker got the task, each
/// webhook was called, functions made their calls once and in order and came to their results, and no client sees the job of another one.
final class Checker {
    private static final int PAGE = 1_000;
    private static final int READERS = 8;

    private final Api operator;
    private final Map<String, Api> clients;
    private final Findings findings;
    private final Receiver receiver;
    private final Map<String, Integer> ends = new HashMap<>();
    private final LongAdder outcomes = new LongAdder();

    /// @param operator who may see all jobs
    /// @param clients who may see their own alone, by name
    Checker(Api operator, Map<String, Api> clients, Findings findings, Receiver receiver) {
        this.operator = operator;
        this.clients = Map.copyOf(clients);
        this.findings = findings;
        this.receiver = receiver;
    }

    /// Waits for the ends of all jobs.
    ///
    /// @param timeout how long all of them together may take, and the calls of their webhooks
    /// @return those whose histories are to be read, with how they ended: all but those that are set aside as unreadable
    Map<AcknowledgedJobs.Entry, String> await(AcknowledgedJobs ledger, Duration timeout)
            throws InterruptedException {
        var until = System.nanoTime() + timeout.toNanos();
        var ended = new LinkedHashMap<AcknowledgedJobs.Entry, String>();
        for (var job : ledger.jobs()) {
            var status = awaitEnd(job, until);
            ends.merge(job.jobKind().blueprint() + " " + status, 1, Integer::sum);
            if (!job.jobKind().mayEnd(status)) {
                findings.add(
                        "a job of %s is %s: %s"
                                .formatted(job.jobKind(), status, explanation(job.id())));
                continue;
            }
            if (!status.equals(JobKind.UNREADABLE)) {
                ended.put(job, status);
            }
        }
        awaitCalls(ledger, until);
        return ended;
    }

    /// Reads the histories of jobs that have ended.
    ///
    /// @param ledger all jobs that were acknowledged; others with effects are their children, or jobs of which the answer got
    /// lost
    /// @param effects what workers had written down when all had ended
    ///
    /// @throws IllegalStateException if a history cannot be understood
    void check(AcknowledgedJobs ledger, Map<AcknowledgedJobs.Entry, String> ended, Effects effects)
            throws InterruptedException {
        var checks = new ArrayList<Callable<Void>>();
        ended.forEach((job, status) ->
                checks.add(() -> {
                    check(job, status, effects.of(job.id()));
                    return null;
                }));
        var acknowledged =
                ledger.jobs().stream().map(AcknowledgedJobs.Entry::id).collect(Collectors.toSet());
        for (var job : effects.byJob().keySet()) {
            if (!acknowledged.contains(job)) {
                checks.add(() -> {
                    checkUnacknowledged(job, effects.of(job));
                    return null;
                });
            }
        }
        for (var job : ledger.jobs()) {
            checks.add(() -> {
                checkSecrecy(job);
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

    private String awaitEnd(AcknowledgedJobs.Entry job, long until) throws InterruptedException {
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

    /// A child, or a job whose acknowledgement got lost: it need not have ended, but all else holds.
    private void checkUnacknowledged(String job, Set<Effects.Effect> seen)
            throws InterruptedException {
        if (operator.get("/api/v1/jobs/" + job).filter(Api.Reply::isGood).isEmpty()) {
            findings.add("workers worked for a job that there is not: " + job);
            return;
        }
        var history = history(job);
        var ends = ofType("job.ended", history).size();
        if (ends > 1) {
            findings.add("job " + job + " (not acknowledged) ended " + ends + " times");
        }
        explain(job, history, seen);
    }

    /// No client sees the job of another one, also when chaos is over.
    private void checkSecrecy(AcknowledgedJobs.Entry job) throws InterruptedException {
        for (var client : clients.entrySet()) {
            if (!client.getKey().equals(job.client())
                    && client.getValue()
                            .get("/api/v1/jobs/" + job.id())
                            .filter(Api.Reply::isGood)
                            .isPresent()) {
                findings.add(
                        client.getKey()
                                + " sees job "
                                + job.id()
                                + ", which is of "
                                + job.client());
            }
        }
    }

    private void check(AcknowledgedJobs.Entry job, String status, Set<Effects.Effect> seen)
            throws InterruptedException {
        var history = history(job.id());
        var ends = ofType("job.ended", history).size();
        var name = "job " + job.id() + " (" + job.jobKind() + ")";
        if (status.equals(JobKind.QUARANTINED) && ends > 0) {
            findings.add(name + " is quarantined, and ended " + ends + " times");
        } else if (!status.equals(JobKind.QUARANTINED) && ends != 1) {
            findings.add(name + " ended " + ends + " times");
        }
        if (!job.jobKind().isHarmful() && job.declined() != status.equals("failed")) {
            findings.add(name + " is " + status);
        }
        if (job.jobKind().hasExpectedCalls()) {
            checkCalls(name, job.jobKind(), history);
        }
        explain(job.id(), history, seen);
    }

    /// Each call of a function is there once, in the order of its code, and the result is that of its code.
    private void checkCalls(String name, JobKind jobKind, List<JsonObject> history) {
        var input =
                ofType("job.submitted", history).stream()
                        .flatMap(event -> event.object("initial_data").stream())
                        .findFirst()
                        .orElse(JsonObject.EMPTY);
        var expected = ExpectedCalls.of(jobKind, input);
        var found = ExpectedCalls.in(history);
        if (!found.equals(expected)) {
            findings.add(
                    name
                            + " is to have "
                            + expected
                            + ", and has "
                            + found
                            + "; it ended with "
                            + ofType("job.ended", history)
                            + " after "
                            + ofType("compensation.completed", history));
        }
    }

    /// Each effect belongs to the very lease with which its task was handed out, and each task that succeeded did so once,
    /// under a lease that has had an effect.
    private void explain(String job, List<JsonObject> history, Set<Effects.Effect> seen) {
        var leases = new HashMap<String, List<String>>();
        for (var granted : ofType("lease.granted", history)) {
            leases.computeIfAbsent(handOut(granted), _ -> new ArrayList<>())
                    .add(granted.string("worker").orElse("nobody"));
        }
        seen.stream()
                .collect(Collectors.groupingBy(Effects.Effect::handOut))
                .forEach((handOut, effects) ->
                        explain(handOut, leases.getOrDefault(handOut, List.of()), effects));
        var withEffect =
                seen.stream().map(Effects.Effect::handOut).collect(Collectors.toUnmodifiableSet());
        var tasks = new HashSet<Long>();
        for (var success : ofType("task.succeeded", history)) {
            outcomes.increment();
            var task = task(success);
            if (!tasks.add(task)) {
                findings.add("job " + job + ", task " + task + ": an outcome was applied twice");
            }
            if (!leases.containsKey(handOut(success))) {
                findings.add("hand-out " + handOut(success) + " succeeded without a lease");
            }
            if (!withEffect.contains(handOut(success))) {
                findings.add("hand-out " + handOut(success) + " succeeded without an effect");
            }
        }
    }

    /// @param granted the workers of the leases that history has under the name of `handOut`
    /// @param effects all that were begun under that name
    private void explain(String handOut, List<String> granted, List<Effects.Effect> effects) {
        var left = new ArrayList<>(granted);
        for (var effect : effects) {
            if (!left.remove(effect.worker())) {
                findings.add(
                        "hand-out %s had an effect at %s, its leases are of %s"
                                .formatted(handOut, effect.worker(), granted));
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

    private static String handOut(JsonObject event) {
        return event.string("task_id").orElseThrow();
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
    private void awaitCalls(AcknowledgedJobs ledger, long until) {
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
