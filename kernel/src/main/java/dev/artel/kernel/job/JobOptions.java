package dev.artel.kernel.job;

import dev.artel.kernel.task.TimeLimits;
import dev.artel.kernel.webhook.Webhook;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Stream;

/// What a client may set for a job beside its data.
///
/// @param priority higher goes first; 0 unless set otherwise
/// @param deadline when the job fails if it has not ended; empty: never
/// @param labels for finding it again; at most 50
/// @param requestDigest what the client asked for, so that a reused idempotency key is noticed; empty without a key
/// @param cancelGrace how long workers may take to give up the tasks of a cancelled job
/// @param webhooks the webhooks of the job, in the order of their numbers; at most 20
/// @param trace the trace of which the job is a part
/// @param requestedBy who had a part in its submission beside its client, as events name them, such as `client ada`; approvals that exclude the
///     submitter exclude them as well
public record JobOptions(
        double priority,
        Optional<Instant> deadline,
        SequencedMap<String, String> labels,
        Optional<String> requestDigest,
        Duration cancelGrace,
        List<Webhook> webhooks,
        Optional<TraceContext> trace,
        List<String> requestedBy) {
    /// How many labels a job takes.
    public static final int MOST_LABELS = 50;

    /// Priority 0, no deadline, no labels, ten seconds of grace.
    public static final JobOptions DEFAULTS =
            new JobOptions(
                    0,
                    Optional.empty(),
                    new LinkedHashMap<>(),
                    Optional.empty(),
                    Duration.ofSeconds(10));

    /// Options of a job without webhooks and without a trace.
    public JobOptions(
            double priority,
            Optional<Instant> deadline,
            SequencedMap<String, String> labels,
            Optional<String> requestDigest,
            Duration cancelGrace) {
        this(priority, deadline, labels, requestDigest, cancelGrace, List.of(), Optional.empty());
    }

    /// Options of a job that its client alone submits.
    public JobOptions(
            double priority,
            Optional<Instant> deadline,
            SequencedMap<String, String> labels,
            Optional<String> requestDigest,
            Duration cancelGrace,
            List<Webhook> webhooks,
            Optional<TraceContext> trace) {
        this(priority, deadline, labels, requestDigest, cancelGrace, webhooks, trace, List.of());
    }

    /// Refuses what has no meaning.
    public JobOptions {
        if (!Double.isFinite(priority)) {
            throw new IllegalArgumentException("priority must be a finite number, was " + priority);
        }
        if (cancelGrace.isNegative() || cancelGrace.compareTo(TimeLimits.LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "cancel grace must not be negative and at most 36500 days, was " + cancelGrace);
        }
        if (labels.size() > MOST_LABELS) {
            throw new IllegalArgumentException(
                    "a job takes at most " + MOST_LABELS + " labels, got " + labels.size());
        }
        if (webhooks.size() > Webhook.MOST) {
            throw new IllegalArgumentException(
                    "a job takes at most "
                            + Webhook.MOST
                            + " webhooks, with those of subscriptions, got "
                            + webhooks.size());
        }
        webhooks = List.copyOf(webhooks);
        requestedBy = List.copyOf(requestedBy);
        labels = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(labels));
    }

    /// These options with a digest of the request.
    public JobOptions withRequestDigest(Optional<String> digest) {
        return new JobOptions(
                priority, deadline, labels, digest, cancelGrace, webhooks, trace, requestedBy);
    }

    /// These options with other webhooks.
    public JobOptions withWebhooks(List<Webhook> others) {
        return new JobOptions(
                priority, deadline, labels, requestDigest, cancelGrace, others, trace, requestedBy);
    }

    /// These options with another priority and other labels.
    public JobOptions with(double otherPriority, SequencedMap<String, String> otherLabels) {
        return new JobOptions(
                otherPriority,
                deadline,
                otherLabels,
                requestDigest,
                cancelGrace,
                webhooks,
                trace,
                requestedBy);
    }

    /// These options of a job that is part of another trace, or of none.
    public JobOptions withTrace(Optional<TraceContext> other) {
        return new JobOptions(
                priority,
                deadline,
                labels,
                requestDigest,
                cancelGrace,
                webhooks,
                other,
                requestedBy);
    }

    /// These options of a job in whose submission `others` had a part as well.
    ///
    /// @param others as events name them, such as `client ada`
    public JobOptions requestedAlsoBy(List<String> others) {
        return new JobOptions(
                priority,
                deadline,
                labels,
                requestDigest,
                cancelGrace,
                webhooks,
                trace,
                Stream.concat(requestedBy.stream(), others.stream()).distinct().toList());
    }
}
