package dev.artel.server.run;

import dev.artel.client.JobEvent;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.text.Printable;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Shows the events of a job to a person, a line each. For one thread.
final class RunProgress {
    private static final int LONGEST = 200;

    private final PrintStream out;
    private final Map<Long, String> states = new HashMap<>();
    private final Map<Long, String> steps = new HashMap<>();
    private final Map<Long, String> types = new HashMap<>();
    private long tasks;

    /// The number of the last one; that of the job itself is 0.
    private long branches;

    private @Nullable Instant begin;

    RunProgress(PrintStream out) {
        this.out = out;
    }

    void show(JobEvent event) {
        if (begin == null) {
            begin = event.at();
        }
        line(event).ifPresent(line -> show(Duration.between(begin, event.at()), line));
    }

    private void show(Duration since, String line) {
        out.printf(Locale.ROOT, "%7.1f s  %s%n", since.toMillis() / 1000.0, shortened(line));
    }

    private static String shortened(String line) {
        var flat = Printable.text(line.replaceAll("\\s+", " "));
        return flat.length() <= LONGEST ? flat : flat.substring(0, LONGEST) + "...";
    }

    private Optional<String> line(JobEvent event) {
        var its = event.document();
        return switch (event.type()) {
            case "state.entered" -> {
                states.put(number(its, "branch"), text(its, "state"));
                yield Optional.empty();
            }
            case "branch.forked" -> {
                its.array("starts")
                        .ifPresent(starts ->
                                starts.forEach(start -> {
                                    if (start instanceof JsonString(var state)) {
                                        states.put(++branches, state);
                                    }
                                }));
                yield Optional.empty();
            }
            case "task.opened" -> {
                opened(number(its, "branch"), text(its, "task_type"));
                yield Optional.empty();
            }
            case "tasks.opened" -> {
                var branch = number(its, "branch");
                its.array("tasks")
                        .ifPresent(all ->
                                all.forEach(task -> {
                                    if (task instanceof JsonObject object) {
                                        opened(branch, text(object, "task_type"));
                                    }
                                }));
                yield Optional.empty();
            }
            case "lease.granted" ->
                    Optional.of(about(its, "with " + text(its, "worker") + attempt(its)));
            case "task.succeeded" ->
                    Optional.of(
                            about(
                                    its,
                                    text(its, "status").equals("success")
                                            ? "done"
                                            : "done: " + text(its, "status")));
            case "attempt.failed" ->
                    Optional.of(about(its, "failed: " + error(its) + ", is tried again"));
            case "lease.lost" -> Optional.of(about(its, "lost: " + text(its, "reason")));
            case "task.failed" -> Optional.of(about(its, "failed: " + error(its)));
            case "step.failed" -> Optional.of(step(its) + ": failed: " + text(its, "message"));
            case "wait.begun" -> Optional.of(step(its) + ": waits until " + text(its, "until"));
            case "signal.awaited" ->
                    Optional.of(step(its) + ": waits for the event '" + text(its, "signal") + "'");
            case "signal.received" ->
                    Optional.of("the event '" + text(its, "signal") + "' has come");
            case "approval.requested" -> Optional.of(step(its) + ": asks: " + text(its, "message"));
            case "approval.decided" ->
                    Optional.of(
                            step(its) + ": " + text(its, "decision") + " by " + text(its, "by"));
            case "question.asked" -> Optional.of(about(its, "asks: " + text(its, "question")));
            case "child.requested", "children.requested" ->
                    Optional.of(step(its) + ": begins a subprocess");
            case "child.ended" ->
                    Optional.of("a subprocess has ended: " + text(its, "outcome") + reason(its));
            case "budget.warned" ->
                    Optional.of("much of the budget is spent: " + text(its, "limit"));
            case "budget.exhausted" ->
                    Optional.of("the budget is exhausted: " + text(its, "limit"));
            case "compensation.started" -> Optional.of("what was done is compensated");
            case "job.quarantined" -> Optional.of("waits for a person: " + text(its, "reason"));
            default -> Optional.empty();
        };
    }

    private void opened(long branch, String type) {
        var task = tasks++;
        steps.put(task, states.getOrDefault(branch, "?"));
        types.put(task, type);
    }

    private String about(JsonObject its, String what) {
        var task = number(its, "task");
        return steps.getOrDefault(task, "?")
                + ": "
                + types.getOrDefault(task, "task " + task)
                + " "
                + what;
    }

    private String step(JsonObject its) {
        return states.getOrDefault(number(its, "branch"), "?");
    }

    private static String attempt(JsonObject its) {
        var attempt = number(its, "attempt");
        return attempt > 1 ? ", attempt " + attempt : "";
    }

    private static String error(JsonObject its) {
        return its.object("error").map(error -> text(error, "message")).orElse("?");
    }

    private static String reason(JsonObject its) {
        return its.string("reason").map(reason -> ", " + reason).orElse("");
    }

    private static String text(JsonObject its, String name) {
        return its.string(name).orElse("");
    }

    private static long number(JsonObject its, String name) {
        return its.number(name).map(JsonNumber::asLong).orElse(0L);
    }
}
