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

    /// How often an answer is reported that the orchestrator cannot keep now: for about eight hours, so that a full disk or a store that is away
    /// loses none over a night.
    private static final int MOST_TRIES = 1_000;

    /// How often an answer is reported that meets with an error of the orchestrator: for about half
    /// a minute.
    private static final int MOST_FAILURES = 6;

    /// Of a message that is a dead letter already.
    private static final Settlement REJECTED =
            new Settlement() {
                @Override
                public void done() {}

                @Override
                public void failed(String problem) {}
            };

    private final SessionShell shell;
    private final Commands commands;
    private final BusCounts counts;
    private final BusDoor door;
    private final Later later;

    /// Senders choose how many of their answers are dropped.
    private final LinesAMinute dropped = new LinesAMinute(60);

    CommandAnswers(SessionShell shell, Commands commands, BusCounts counts, BusDoor door) {
        this(shell, commands, counts, door, CommandAnswers::run);
    }

    CommandAnswers(
            SessionShell shell, Commands commands, BusCounts counts, BusDoor door, Later later) {
        this.later = later;
        this.door = door;
        this.shell = shell;
        this.commands = commands;
        this.counts = counts;
    }

    /// Does something after a pause.
    @FunctionalInterface
    interface Later {
        void run(Duration pause, Runnable task);
    }

    /// What becomes of a message. One of its methods is called, once.
    interface Settlement {
        /// The message may be acknowledged.
        void done();

        /// The message is to be moved to the dead letters, as it could not be taken in several
        /// tries.
        void failed(String problem);
    }

    /// An answer that is reported to the orchestrator.
    ///
    /// @param tries how often it was reported
    /// @param failures how often that met with an error of the orchestrator
    private record Answer(
            WorkerId agent,
            LeaseToken token,
            TaskResult result,
            Settlement settlement,
            int tries,
            int failures) {
        Answer again(boolean isFailure) {
            return new Answer(
                    agent,
                    token,
                    result,
                    settlement,
                    tries + 1,
                    isFailure ? failures + 1 : failures);
        }

        boolean isGivenUp() {
            return tries >= MOST_TRIES || failures >= MOST_FAILURES;
        }
    }

    /// Takes an answer.
    ///
    /// @throws UnreadableEvent if it is none
    /// @throws ForeignSender if another account has sent it than that of its agent
    void take(BusEvent event, Settlement settlement) {
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
            settlement.done();
            return;
        }
        var agent = agent(event.source());
        var sent = commands.answered(token, agent);
        if (event.type().equals(BusEvent.ERROR) && ErrorCodes.isNotStarted(event.data())) {
            giveBack(agent, token, settlement);
            return;
        }
        var isStopped = sent != null && sent.isStopped();
        var outcome =
                event.type().equals(BusEvent.RESULT)
                        ? success(event.data())
                        : ErrorCodes.outcome(event.data(), isStopped);
        report(agent, token, outcome, event.data().object("metrics"), settlement);
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
                    REJECTED);
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
            Settlement settlement) {
        var job = token.address().map(address -> address.job().value()).orElse("");
        var result =
                new TaskResult(
                        job,
                        token.value(),
                        agent.value(),
                        token.value(),
                        outcome,
                        metrics.orElse(null));
        report(new Answer(agent, token, result, settlement, 0, 0));
    }

    /// The agent has not begun the task: that is no attempt.
    private void giveBack(WorkerId agent, LeaseToken token, Settlement settlement) {
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
                            settlement.done();
                        });
    }

    private void report(Answer answer) {
        var _ =
                shell.send(answer.agent(), answer.result())
                        .whenComplete((reply, bug) -> {
                            if (bug == null && reply != null) {
                                answered(answer, reply);
                            } else {
                                dropped.log(
                                        LOG.atError()
                                                .addKeyValue("agent", answer.agent())
                                                .setCause(bug),
                                        "an answer of an agent met with an error");
                                answer.settlement().done();
                            }
                        });
    }

    private void answered(Answer answer, SessionReply reply) {
        switch (reply) {
            case SessionReply.Results(var answers) -> {
                if (!isAccepted(answers.getFirst())) {
                    counts.isLate();
                    dropped.log(
                            LOG.atWarn()
                                    .addKeyValue("agent", answer.agent())
                                    .addKeyValue(
                                            "task", ForeignText.shown(answer.token().handOut()))
                                    .addKeyValue("reason", answers.getFirst().reason()),
                            "an answer comes late, twice, or from another agent; it is dropped");
                }
                answer.settlement().done();
            }
            case SessionReply.TryLater later ->
                    again(
                            answer.again(SessionShell.isFailure(later)),
                            later.after(),
                            later.detail());
            case SessionReply.TooMany(var after, var detail) ->
                    again(answer.again(false), after, detail);
            case SessionReply _ -> answer.settlement().done();
        }
    }

    /// Reports an answer later, or no more: it has its place among the messages that are read
    /// ahead, and those of all agents wait where none is left.
    private void again(Answer answer, Duration after, String detail) {
        if (answer.isGivenUp()) {
            answer.settlement()
                    .failed(
                            "the answer of "
                                    + answer.agent()
                                    + " could not be taken in "
                                    + answer.tries()
                                    + " tries: "
                                    + detail);
            return;
        }
        var longer = after.multipliedBy(1L << Math.min(answer.tries() - 1, 5));
        var pause = longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
        later.run(pause, () -> report(answer));
    }

    private static void run(Duration pause, Runnable task) {
        CompletableFuture.delayedExecutor(
                        pause.toMillis(),
                        TimeUnit.MILLISECONDS,
                        next -> Thread.ofVirtual().name("artel-mindbus-reply").start(next))
                .execute(task);
    }

    private static boolean isAccepted(ResultAnswer answer) {
        return answer.status().contains("accepted");
    }
}
