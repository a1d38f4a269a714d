package dev.artel.gateway.mindbus;

import dev.artel.gateway.shell.SessionShell;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.log.ForeignText;
import dev.artel.log.LinesAMinute;
import dev.artel.protocol.Release;
import dev.artel.protocol.ResultAnswer;
import dev.artel.protocol.TaskOutcome;
import dev.artel.protocol.TaskResult;
import dev.artel.session.SessionReply;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `RESULT` and `ERROR`: how attempts ended. An answer is done with when it is durable. Safe for use by many threads.
final class CommandAnswers {
    private static final Logger LOG = LoggerFactory.getLogger(CommandAnswers.class);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private final SessionShell shell;
    private final Commands commands;
    private final BusCounts counts;
    private final BusDoor door;

    /// Senders choose how many of their answers are dropped.
    private final LinesAMinute dropped = new LinesAMinute(60);

    CommandAnswers(SessionShell shell, Commands commands, BusCounts counts, BusDoor door) {
        this.door = door;
        this.shell = shell;
        this.commands = commands;
        this.counts = counts;
    }

    /// Takes an answer.
    ///
    /// @param onDone called once, when the message may be acknowledged
    /// @throws UnreadableEvent if it is none
    /// @throws ForeignSender if another account has sent it than that of its agent
    void take(BusEvent event, Runnable onDone) {
        if (!event.type().equals(BusEvent.RESULT) && !event.type().equals(BusEvent.ERROR)) {
            throw new UnreadableEvent("a queue of replies takes no " + event.type());
        }
        door.check(event.source(), event.user());
        var token = token(event.correlations());
        if (token == null) {
            counts.isLate();
            dropped.log(
                    LOG.atWarn()
                            .addKeyValue("agent", ForeignText.shown(event.source()))
                            .addKeyValue("type", event.type()),
                    "an agent answers no command of this orchestrator; the answer is dropped");
            onDone.run();
            return;
        }
        var agent = agent(event.source());
        var sent = commands.answered(token, agent);
        if (event.type().equals(BusEvent.ERROR) && ErrorCodes.isNotStarted(event.data())) {
            giveBack(agent, token, onDone);
            return;
        }
        var isStopped = sent != null && sent.isStopped();
        var outcome =
                event.type().equals(BusEvent.RESULT)
                        ? success(event.data())
                        : ErrorCodes.outcome(event.data(), isStopped);
        report(agent, token, outcome, event.data().object("metrics"), onDone);
    }

    /// An answer that cannot be read ends its attempt, too: it would not be better another time.
    ///
    /// @param user the account of the broker that sent it; null: it does not have it
    void unreadable(@Nullable String correlation, @Nullable String user, String problem) {
        var token = correlation == null ? null : token(List.of(correlation));
        var found = token == null ? null : commands.find(token);
        if (token == null || found == null || !isOf(found.agent(), user)) {
            return;
        }
        var sent = commands.answered(token, new WorkerId(found.agent()));
        if (sent != null) {
            report(
                    new WorkerId(sent.agent()),
                    token,
                    TaskOutcome.invalid(problem),
                    Optional.empty(),
                    () -> {});
        }
    }

    private boolean isOf(String agent, @Nullable String user) {
        return !door.verifiesUser() || agent.equals(user);
    }

    private static WorkerId agent(String source) {
        try {
            return new WorkerId(source);
        } catch (IllegalArgumentException noName) {
            throw new UnreadableEvent(
                    "the source is no name of an agent: " + noName.getMessage(), noName);
        }
    }

    /// The id of the command is its lease, under whichever of its names it comes back.
    static @Nullable LeaseToken token(List<String> correlations) {
        for (var correlation : correlations) {
            if (!correlation.isBlank() && correlation.length() <= 1024) {
                var token = new LeaseToken(correlation);
                if (token.attempt().isPresent()) {
                    return token;
                }
            }
        }
        return null;
    }

    private static TaskOutcome success(JsonObject data) {
        var status = data.get("status").orElse(JsonNull.NULL);
        var isSuccess =
                status == JsonNull.NULL
                        || data.string("status").filter("SUCCESS"::equals).isPresent();
        if (!isSuccess) {
            return TaskOutcome.invalid("the status of a RESULT is " + status + ", not SUCCESS");
        }
        return switch (data.get("output").orElse(JsonNull.NULL)) {
            case JsonObject output -> TaskOutcome.success(output);
            case JsonNull _ -> TaskOutcome.success(JsonObject.EMPTY);
            case JsonValue other ->
                    TaskOutcome.invalid(
                            "the output of a RESULT is no object but a value of kind "
                                    + other.kind());
        };
    }

    private void report(
            WorkerId agent,
            LeaseToken token,
            TaskOutcome outcome,
            Optional<JsonObject> metrics,
            Runnable onDone) {
        var job = token.address().map(address -> address.job().value()).orElse("");
        var result =
                new TaskResult(
                        job,
                        token.value(),
                        agent.value(),
                        token.value(),
                        outcome,
                        metrics.orElse(null));
        report(agent, token, result, onDone);
    }

    /// The agent has not begun the task: that is no attempt.
    private void giveBack(WorkerId agent, LeaseToken token, Runnable onDone) {
        var release =
                new Release(
                        agent.value(), List.of(token.value()), "the agent has not begun the task");
        var _ =
                shell.send(agent, release)
                        .whenComplete((_, bug) -> {
                            if (bug != null) {
                                dropped.log(
                                        LOG.atError().addKeyValue("agent", agent).setCause(bug),
                                        "a task could not be given back");
                            }
                            onDone.run();
                        });
    }

    private void report(WorkerId agent, LeaseToken token, TaskResult result, Runnable onDone) {
        var _ =
                shell.send(agent, result)
                        .whenComplete((reply, bug) -> {
                            if (bug == null && reply != null) {
                                answered(agent, token, result, reply, onDone);
                            } else {
                                dropped.log(
                                        LOG.atError().addKeyValue("agent", agent).setCause(bug),
                                        "an answer of an agent met with an error");
                                onDone.run();
                            }
                        });
    }

    private void answered(
            WorkerId agent,
            LeaseToken token,
            TaskResult result,
            SessionReply reply,
            Runnable onDone) {
        switch (reply) {
            case SessionReply.Results(var answers) -> {
                if (!isAccepted(answers.getFirst())) {
                    counts.isLate();
                    dropped.log(
                            LOG.atWarn()
                                    .addKeyValue("agent", agent)
                                    .addKeyValue("task", ForeignText.shown(token.handOut()))
                                    .addKeyValue("reason", answers.getFirst().reason()),
                            "an answer comes late, twice, or from another agent; it is dropped");
                }
                onDone.run();
            }
            case SessionReply.TryLater(var after, var _) ->
                    again(after, () -> report(agent, token, result, onDone));
            case SessionReply.TooMany(var after, var _) ->
                    again(after, () -> report(agent, token, result, onDone));
            case SessionReply _ -> onDone.run();
        }
    }

    private static boolean isAccepted(ResultAnswer answer) {
        return answer.status().contains("accepted");
    }

    private static void again(Duration after, Runnable attempt) {
        var pause = after.compareTo(LONGEST_PAUSE) < 0 ? after : LONGEST_PAUSE;
        CompletableFuture.delayedExecutor(
                        pause.toMillis(),
                        TimeUnit.MILLISECONDS,
                        next -> Thread.ofVirtual().name("artel-mindbus-reply").start(next))
                .execute(attempt);
    }
}
