package dev.artel.worker.link;

import dev.artel.json.text.JsonText;
import dev.artel.protocol.AskQuestion;
import dev.artel.protocol.MalformedMessage;
import dev.artel.protocol.QuestionAnswer;
import dev.artel.worker.wire.OrchestratorResponse;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks the orchestrator until there is an answer, however long it takes or is away. Safe for use by many threads.
final class Questions {
    private static final Logger LOG = LoggerFactory.getLogger(Questions.class);

    /// An orchestrator that answers at once is not asked more often.
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private static final Duration LONGEST = Duration.ofSeconds(40);

    private final OrchestratorClient orchestratorClient;
    private final Backoff backoff;

    Questions(OrchestratorClient orchestratorClient, Backoff backoff) {
        this.orchestratorClient = orchestratorClient;
        this.backoff = backoff;
    }

    /// @throws UnsupportedOperationException if the orchestrator takes no questions
    /// @throws IllegalStateException if it does not take this one
    /// @throws InterruptedException also if the attempt is over
    String ask(AskQuestion question) throws InterruptedException {
        var body = JsonText.write(question.toJson());
        for (var failures = 0; ; ) {
            var began = System.nanoTime();
            try {
                var orchestratorResponse =
                        orchestratorClient.question(question.taskId(), body, LONGEST);
                switch (orchestratorResponse.status()) {
                    case 200 -> {
                        failures = 0;
                        switch (QuestionAnswer.read(orchestratorResponse.json())) {
                            case QuestionAnswer.Answered(var text) -> {
                                return text;
                            }
                            case QuestionAnswer.Ignored(var reason) -> throw over(question, reason);
                            case QuestionAnswer.Parked _ -> {
                                // it waits
                            }
                        }
                    }
                    case 400, 404, 405, 413 -> throw notTaken(question, orchestratorResponse);
                    default ->
                            failures =
                                    failed(
                                            orchestratorResponse.text(),
                                            failures,
                                            orchestratorResponse);
                }
            } catch (IOException | MalformedMessage away) {
                failures++;
                note(away.toString(), failures);
                Thread.sleep(backoff.after(failures));
            }
            var left = PAUSE.minusNanos(System.nanoTime() - began);
            if (left.isPositive()) {
                Thread.sleep(left);
            }
        }
    }

    private int failed(String cause, int failures, OrchestratorResponse orchestratorResponse)
            throws InterruptedException {
        note(cause, failures + 1);
        var wanted = orchestratorResponse.retryAfter();
        Thread.sleep(wanted == null ? backoff.after(failures + 1) : wanted);
        return failures + 1;
    }

    private void note(String cause, int failures) {
        LOG.atWarn()
                .addKeyValue("orchestrator", orchestratorClient)
                .addKeyValue("cause", cause)
                .addKeyValue("failures", failures)
                .log("a question did not reach the orchestrator; asking again");
    }

    private static InterruptedException over(AskQuestion question, String reason) {
        if (reason.equals(QuestionAnswer.Ignored.STALE)) {
            return new InterruptedException(
                    "the attempt is over: the orchestrator does not answer the question '"
                            + question.question()
                            + "' any more");
        }
        throw new IllegalStateException(reason);
    }

    private RuntimeException notTaken(
            AskQuestion question, OrchestratorResponse orchestratorResponse) {
        var what =
                "question '"
                        + question.question()
                        + "' at "
                        + orchestratorClient
                        + ": "
                        + orchestratorResponse.text();
        return orchestratorResponse.status() == 400 || orchestratorResponse.status() == 413
                ? new IllegalStateException(what)
                : new UnsupportedOperationException(
                        what + "; this orchestrator takes no questions");
    }
}
