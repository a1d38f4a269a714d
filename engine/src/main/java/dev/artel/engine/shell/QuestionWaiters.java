package dev.artel.engine.shell;

import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.engine.QuestionReply;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.question.Question;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// Workers that wait for the answers to their questions: one for each attempt, the one who asked last. Safe for use by
/// many threads.
final class QuestionWaiters {
    private final CommandRouter post;
    private final JobReader reader;
    private final OpenQuestions open;
    private final Supplier<Instant> now;
    private final Map<Place, CompletableFuture<String>> waiting = new ConcurrentHashMap<>();
    private volatile boolean stopped;

    private record Place(JobId job, int task) {}

    QuestionWaiters(
            CommandRouter post, JobReader reader, OpenQuestions open, Supplier<Instant> now) {
        this.post = post;
        this.reader = reader;
        this.open = open;
        this.now = now;
    }

    /// See [dev.artel.kernel.engine.WorkerPort#question].
    QuestionReply ask(
            WorkerId worker,
            LeaseToken token,
            Question question,
            Optional<Duration> within,
            Duration wait) {
        var address = token.address();
        if (address.isEmpty()) {
            return new QuestionReply.Refused(
                    Decision.Reason.UNKNOWN_JOB,
                    "task " + token + " was not handed out by this orchestrator");
        }
        var place = new Place(address.get().job(), address.get().task());
        var tooMany = open.refusal(worker, place.job(), place.task());
        if (tooMany.isPresent() && !isAnswered(place, question)) {
            return new QuestionReply.Refused(Decision.Reason.FULL, tooMany.get());
        }
        // Before the question is given: its answer may come at once.
        var answer = new CompletableFuture<String>();
        var before = waiting.put(place, answer);
        if (before != null) {
            before.cancel(false);
        }
        if (stopped) {
            answer.cancel(false);
        }
        try {
            var command =
                    new JobCommand.AskQuestion(
                            place.task(), token, worker, question, within, now.get());
            return switch (post.ask(place.job(), command)) {
                case CommandReply.Done _ -> await(place, token, question, answer, wait);
                case CommandReply.Refused(var reason, var detail) ->
                        new QuestionReply.Refused(reason, detail);
                case CommandReply.TryLater(var after, var detail) ->
                        new QuestionReply.TryLater(after, detail);
            };
        } finally {
            waiting.remove(place, answer);
        }
    }

    private boolean isAnswered(Place place, Question question) {
        return reader.find(place.job())
                .filter(job -> place.task() < job.tasks().size())
                .flatMap(job -> job.tasks().get(place.task()).answerTo(question.id()))
                .isPresent();
    }

    private QuestionReply await(
            Place place,
            LeaseToken token,
            Question question,
            CompletableFuture<String> answer,
            Duration wait) {
        var task = reader.find(place.job()).map(job -> job.tasks().get(place.task()));
        var known = task.flatMap(it -> it.answerTo(question.id()));
        if (known.isPresent()) {
            return new QuestionReply.Answered(known.get().text());
        }
        var openQuestion = task.flatMap(it -> it.asked());
        if (openQuestion.isEmpty()) {
            return new QuestionReply.Refused(
                    Decision.Reason.STALE_LEASE, "lease " + token + " is over; stop this attempt");
        }
        var number = openQuestion.get().number();
        try {
            return new QuestionReply.Answered(answer.get(wait.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException | CancellationException notYet) {
            return new QuestionReply.Waiting(number);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return new QuestionReply.Waiting(number);
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("an answer is never an exception", impossible);
        }
    }

    /// Something has happened to a job.
    void happened(Job job, List<JobEvent> events) {
        if (waiting.isEmpty()) {
            return;
        }
        for (var event : events) {
            if (event instanceof JobEvent.QuestionAnswered(int task, var text, var _, var _)) {
                var answer = waiting.get(new Place(job.id(), task));
                if (answer != null) {
                    answer.complete(text);
                }
            }
        }
    }

    /// Ends all waits, now and later.
    void stop() {
        stopped = true;
        waiting.values().forEach(answer -> answer.cancel(false));
    }
}
