package dev.artel.server.run;

import dev.artel.client.ApprovalView;
import dev.artel.client.ArtelClient;
import dev.artel.client.ClientException;
import dev.artel.client.JobEvent;
import dev.artel.client.JobEvents;
import dev.artel.client.JobRef;
import dev.artel.client.JobSubmission;
import dev.artel.client.JobView;
import dev.artel.client.QuestionView;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.Printable;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// One job of a card, from its submission to its end, in front of a person. For one thread.
final class CardRun {
    private static final Set<String> ASKING = Set.of("approval.requested", "question.asked");
    private static final Duration UNEVENTFUL = Duration.ofSeconds(3);

    private final ArtelClient client;
    private final RunArguments arguments;
    private final Terminal terminal;
    private final RunProgress progress;
    private final long deadline;
    private final AtomicBoolean isOver = new AtomicBoolean();

    /// What nobody here can say, and without which the job does not go on.
    private Optional<String> unanswered = Optional.empty();

    CardRun(ArtelClient client, RunArguments arguments, Terminal terminal) {
        this.client = client;
        this.arguments = arguments;
        this.terminal = terminal;
        this.progress = new RunProgress(terminal.err());
        this.deadline = System.nanoTime() + arguments.within().toNanos();
    }

    /// Runs the card.
    ///
    /// @return the exit code
    int run(String name, String version) {
        var job = client.submit(JobSubmission.of(name, arguments.input()).withVersion(version));
        say("runs " + name + " version " + version + " as job " + job);
        arguments.events().forEach((event, payload) -> client.signal(job, event, event, payload));
        var isLate = new AtomicBoolean();
        try (var events = client.follow(job)) {
            var end =
                    new CompletableFuture<Void>()
                            .completeOnTimeout(
                                    null, arguments.within().toMillis(), TimeUnit.MILLISECONDS);
            var _ =
                    end.thenRun(() -> {
                        isLate.set(true);
                        leave(events);
                    });
            var waits = Thread.ofVirtual().name("artel-run-waits").start(() -> explain(job));
            try {
                for (var event : events) {
                    on(job, event);
                    if (unanswered.isPresent() || event.type().equals("job.quarantined")) {
                        break;
                    }
                }
            } finally {
                end.cancel(false);
                isOver.set(true);
                waits.interrupt();
            }
        }
        return end(client.find(job), isLate.get());
    }

    private static void leave(JobEvents events) {
        events.close();
    }

    private void say(String line) {
        if (!arguments.isQuiet()) {
            terminal.err().println(Printable.behind("artel: ", line));
        }
    }

    private void on(JobRef job, JobEvent event) {
        if (!arguments.isQuiet()) {
            progress.show(event);
        }
        if (ASKING.contains(event.type())) {
            for (var approval : client.approvals(job)) {
                if (approval.isOpen()) {
                    decide(job, approval);
                }
            }
            for (var question : client.questions(job)) {
                if (question.isOpen()) {
                    answer(job, question);
                }
            }
        }
    }

    private void decide(JobRef job, ApprovalView approval) {
        if (arguments.approves()) {
            client.decide(job, approval.number(), approving(approval));
        } else if (!ask(
                approval.message(),
                approval.choices(),
                choice -> client.decide(job, approval.number(), choice))) {
            leaveOpen(
                    prompt(approval.message(), approval.choices())
                            + "; run with --approve, or at a terminal, it goes on",
                    approval.expiresAt());
        }
    }

    private void answer(JobRef job, QuestionView question) {
        if (!ask(
                question.text(),
                question.choices(),
                text -> client.answer(job, question.number(), text))) {
            leaveOpen(
                    prompt(question.text(), question.choices())
                            + "; run at a terminal, it asks there",
                    question.expiresAt());
        }
    }

    /// Others may be asked by an orchestrator that stays, and what is too late soon is not waited for in vain: all else ends the run.
    private void leaveOpen(String what, Optional<Instant> expiresAt) {
        var isPassing =
                expiresAt
                        .filter(it ->
                                Duration.between(Instant.now(), it).toNanos()
                                        < deadline - System.nanoTime())
                        .isPresent();
        if (arguments.url().isPresent()) {
            say("waits for a person, who decides at " + arguments.url().get() + ": " + what);
        } else if (isPassing) {
            say("waits for a person until " + expiresAt.get() + ": " + what);
        } else {
            unanswered = Optional.of(what);
        }
    }

    private static String approving(ApprovalView approval) {
        return approval.choices().contains("approve") ? "approve" : approval.choices().getFirst();
    }

    private interface Answering {
        void answer(String text);
    }

    private static String prompt(String text, List<String> choices) {
        return choices.isEmpty() ? text : text + " [" + String.join(" / ", choices) + "]";
    }

    /// Asks until the answer is one that is taken, or nobody answers any more.
    ///
    /// @return whether there was somebody who answered
    private boolean ask(String text, List<String> choices, Answering answering) {
        while (terminal.isInteractive()) {
            terminal.err().print(Printable.line(prompt(text, choices)) + " ");
            terminal.err().flush();
            var typed = typed();
            if (typed.isEmpty()) {
                return false;
            }
            try {
                answering.answer(typed.get().strip());
                return true;
            } catch (ClientException.Conflict late) {
                say("too late: " + late.getMessage());
                return true;
            } catch (ClientException refused) {
                say(String.valueOf(refused.getMessage()));
            }
        }
        return false;
    }

    /// A line of the person; empty if none comes before the time of the run is up.
    private Optional<String> typed() {
        var line = new CompletableFuture<Optional<String>>();
        var _ =
                Thread.ofVirtual()
                        .name("artel-run-input")
                        .start(() -> {
                            try {
                                line.complete(Optional.ofNullable(terminal.answers().readLine()));
                            } catch (IOException broken) {
                                say("nothing can be read from the terminal: " + broken);
                                line.complete(Optional.empty());
                            }
                        });
        var left = Math.max(1, deadline - System.nanoTime());
        return line.completeOnTimeout(Optional.empty(), left, TimeUnit.NANOSECONDS).join();
    }

    /// Says what the job waits for when nothing has happened for a while, and again when that is something else.
    private void explain(JobRef job) {
        var shown = "";
        try {
            while (!arguments.isQuiet()) {
                Thread.sleep(UNEVENTFUL);
                var now = client.explain(job).text();
                if (!now.equals(shown)) {
                    shown = now;
                    say(now);
                }
            }
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        } catch (ClientException unknown) {
            if (isOver.get()) {
                return;
            }
            say("what it waits for cannot be found out: " + unknown.getMessage());
        }
    }

    private int end(JobView job, boolean isLate) {
        if (job.isFinished()) {
            say("finished");
            terminal.out()
                    .println(Printable.json(JsonText.pretty(job.result().orElse(job.data()))));
            return 0;
        }
        if (isLate && !job.isFinal()) {
            say("not over within " + arguments.within().toSeconds() + " s; state " + job.state());
            return 3;
        }
        if (unanswered.isPresent() && !job.isFinal()) {
            terminal.err()
                    .println("artel: waits for a person: " + Printable.line(unanswered.get()));
            return 1;
        }
        terminal.err()
                .println(
                        Printable.behind(
                                "artel: ",
                                job.statusWord() + ": " + job.error().orElse("without a reason")));
        return 1;
    }
}
