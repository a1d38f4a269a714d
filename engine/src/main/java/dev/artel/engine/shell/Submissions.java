package dev.artel.engine.shell;

import dev.artel.json.JsonObject;
import dev.artel.json.bind.Mismatch;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.budget.Budget;
import dev.artel.kernel.engine.Submission;
import dev.artel.kernel.engine.SubmitReply;
import dev.artel.kernel.guard.Guards;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/// Makes jobs of what clients send, as long as there is room for them. Safe for use by many threads.
final class Submissions {
    private final Blueprints blueprints;
    private final Function<Submission, InitialDataChecks.Finding> check;
    private final LargeValues largeValues;
    private final WebhookRelay webhooks;
    private final StoreWriter writer;
    private final CommandRouter post;
    private final KeyedIds keyedIds;
    private final StandingPauses pauses;
    private final InstantSource clock;
    private final int most;
    private final Semaphore submitting;
    private final AtomicLong lastProbe = new AtomicLong();

    /// @param check what keeps initial data from fitting; empty if that is not known in time
    /// @param pauses with which jobs begin
    /// @param clock in whole milliseconds
    /// @param most how many may wait for their answers at the same time
    Submissions(
            Blueprints blueprints,
            Function<Submission, InitialDataChecks.Finding> check,
            LargeValues largeValues,
            WebhookRelay webhooks,
            StoreWriter writer,
            CommandRouter post,
            KeyedIds keyedIds,
            StandingPauses pauses,
            InstantSource clock,
            int most) {
        this.blueprints = blueprints;
        this.check = check;
        this.largeValues = largeValues;
        this.webhooks = webhooks;
        this.writer = writer;
        this.post = post;
        this.keyedIds = keyedIds;
        this.pauses = pauses;
        this.clock = clock;
        this.most = most;
        submitting = new Semaphore(most);
    }

    /// See [dev.artel.kernel.engine.Engine#submit].
    SubmitReply submit(Submission submission) {
        var blueprint = blueprints.wanted(submission.blueprint(), submission.version());
        if (blueprint.isEmpty()) {
            return new SubmitReply.Refused(
                    SubmitReply.Why.UNKNOWN_BLUEPRINT,
                    blueprints.missing(submission.blueprint(), submission.version()));
        }
        if (submission.initialData() instanceof JsonObject data
                && data.size() > Guards.MOST_NAMES) {
            return new SubmitReply.Refused(
                    SubmitReply.Why.INVALID_DATA,
                    "the initial data have "
                            + data.size()
                            + " names, and those of a job have at most "
                            + Guards.MOST_NAMES
                            + "; put what belongs together under one name");
        }
        switch (check.apply(submission)) {
            case InitialDataChecks.Finding.NotNow(var why) -> {
                return new SubmitReply.TryLater(CommandRouter.LATER, why);
            }
            case InitialDataChecks.Finding.Checked(var mismatches) -> {
                if (!mismatches.isEmpty()) {
                    var problems = mismatches.stream().map(Mismatch::toString).toList();
                    return new SubmitReply.Refused(
                            SubmitReply.Why.INVALID_DATA, String.join("; ", problems), problems);
                }
            }
        }
        if (!submission.options().webhooks().isEmpty() && !webhooks.isConnected()) {
            return new SubmitReply.Refused(
                    SubmitReply.Why.INVALID_DATA,
                    "the job names a webhook, and this engine calls none; connect a notifier to"
                            + " the engine");
        }
        var obstacle = writer.obstacle();
        if (obstacle.isPresent() && !isProbe()) {
            return new SubmitReply.TryLater(CommandRouter.LATER, obstacle.get());
        }
        if (!submitting.tryAcquire()) {
            return new SubmitReply.TryLater(
                    CommandRouter.LATER, "more than " + most + " submissions wait; send it again");
        }
        try {
            return submit(submission, blueprint.get());
        } finally {
            submitting.release();
        }
    }

    /// While the store is full one submission a second finds out whether it still is.
    private boolean isProbe() {
        var now = System.nanoTime();
        var last = lastProbe.get();
        return writer.isFull()
                && now - last >= CommandRouter.LATER.toNanos()
                && lastProbe.compareAndSet(last, now);
    }

    private JobCommand.Signal received(
            Submission.Signal signal, Submission submission, Instant now) {
        return new JobCommand.Signal(
                signal.name(),
                signal.id(),
                largeValues.keep(Payload.of(signal.payload())),
                submission.client(),
                now);
    }

    private SubmitReply submit(Submission submission, Blueprint blueprint) {
        var now = clock.instant();
        var key = submission.idempotencyKey();
        var job =
                key.map(text -> keyedIds.of(submission.client(), text))
                        .orElseGet(() -> JobIds.fresh(now, ThreadLocalRandom.current()));
        var given = submission.options();
        var options =
                key.isEmpty()
                        ? given
                        : given.withRequestDigest(
                                Optional.of(
                                        given.requestDigest()
                                                .orElseGet(() -> JobIds.digest(submission))));
        var data =
                submission.initialData() instanceof JsonObject object
                        ? object
                        : JsonObject.of("data", submission.initialData());
        var command =
                new JobCommand.Submit(
                                new JobSpec(
                                                blueprint.ref(),
                                                blueprint.start().name(),
                                                submission.client(),
                                                largeValues.keep(JobData.of(data)),
                                                webhooks.subscribed(options, blueprint.name()),
                                                JobSpec.CURRENT_RULES,
                                                submission.clientPlan())
                                        .withGuards(blueprint.guards())
                                        .withCancelState(blueprint.cancelState())
                                        .withBudget(
                                                Budget.least(
                                                        blueprint.budget(), submission.budget())),
                                submission
                                        .signal()
                                        .map(signal -> received(signal, submission, now)),
                                now)
                        .paused(pauses.ofNew(blueprint.name(), submission.client(), now));
        return SubmitReply.of(
                job, key.isEmpty() ? post.begin(job, command) : post.ask(job, command));
    }
}
