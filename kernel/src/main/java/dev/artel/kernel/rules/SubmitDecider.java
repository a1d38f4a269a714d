package dev.artel.kernel.rules;

import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Decision.Reason;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand.Fork;
import dev.artel.kernel.job.JobCommand.Submit;
import dev.artel.kernel.job.JobEvent;

/// Decides how jobs begin, submitted or forked off others, and what comes of a submission that is sent again.
final class SubmitDecider {
    private final Draft draft;
    private final Deciders deciders;

    SubmitDecider(Draft draft, Deciders deciders) {
        this.draft = draft;
        this.deciders = deciders;
    }

    Decision submit(Submit c) {
        draft.emit(new JobEvent.JobSubmitted(c.spec(), c.at()));
        deciders.branches().enter(0, c.spec().start(), new StepCause.Started(), c.at());
        if (c.pause().isPresent() && !draft.job().isFinal()) {
            var pause = c.pause().get();
            draft.emit(new JobEvent.JobPaused(pause.reason(), pause.by(), pause.at()));
        }
        // One that fails at once, for instance of what it was submitted with, hears nothing.
        return c.signal()
                .filter(_ -> !draft.job().isFinal())
                .map(signal -> deciders.signals().signal(draft.job(), signal))
                .orElseGet(draft::accepted);
    }

    Decision fork(Fork c) {
        draft.emit(new JobEvent.JobSubmitted(c.spec(), c.at()));
        draft.emit(new JobEvent.JobForked(c.from(), c.data(), c.recordedResult(), c.by(), c.at()));
        deciders.branches().enter(0, c.spec().start(), new StepCause.Started(), c.at());
        return draft.accepted();
    }

    Decision again(Job job, Fork c) {
        return again(job, new Submit(c.spec(), c.at()));
    }

    Decision again(Job job, Submit c) {
        var first = job.spec().options().requestDigest();
        var parentLink = job.spec().parentLink();
        if (parentLink.isPresent() && parentLink.equals(c.spec().parentLink())) {
            // Its parent starts it again after a crash, maybe in a newer version.
            return draft.accepted();
        }
        var isTheSame =
                first.isPresent()
                        ? first.equals(c.spec().options().requestDigest())
                        : job.spec().equals(c.spec());
        return isTheSame
                ? c.signal()
                        .map(signal -> deciders.signals().signal(job, signal))
                        .orElseGet(draft::accepted)
                : new Decision.Rejected(
                        Reason.KEY_REUSED,
                        "job "
                                + job.id()
                                + " was submitted under the same idempotency key with another"
                                + " request; use a new key");
    }
}
