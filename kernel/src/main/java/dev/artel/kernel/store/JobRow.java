package dev.artel.kernel.store;

import dev.artel.kernel.child.ParentLink;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.ReasonText;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.SequencedMap;

/// By what a job is found and listed.
///
/// @param state the state of branch 0
/// @param status see [Job#status]
/// @param closed whether nothing is pending any more
/// @param updated when its last event happened
/// @param error see [Job#errorMessage]
/// @param parent who started it, if another job did
public record JobRow(
        JobId id,
        String blueprint,
        String client,
        String state,
        String status,
        boolean closed,
        double priority,
        SequencedMap<String, String> labels,
        Instant submitted,
        Instant updated,
        Optional<String> error,
        Optional<JobId> parent) {
    /// The most characters of an error: lists have many of them, the job has all.
    public static final int LONGEST_ERROR = 1_000;

    /// What the other members take of a text with all of them, about.
    private static final long BASE = 300;

    /// The row of a job that a client submitted.
    public JobRow(
            JobId id,
            String blueprint,
            String client,
            String state,
            String status,
            boolean closed,
            double priority,
            SequencedMap<String, String> labels,
            Instant submitted,
            Instant updated,
            Optional<String> error) {
        this(
                id,
                blueprint,
                client,
                state,
                status,
                closed,
                priority,
                labels,
                submitted,
                updated,
                error,
                Optional.empty());
    }

    /// The same without what may be long, for those who keep many of them.
    public JobRow withoutTexts() {
        return new JobRow(
                id,
                blueprint,
                client,
                state,
                status,
                closed,
                priority,
                Collections.emptyNavigableMap(),
                submitted,
                updated,
                Optional.empty(),
                parent);
    }

    /// How many bytes it takes as a text, at most, but for the names of its members.
    public long weight() {
        var weight = BASE + bytes(blueprint) + bytes(client) + bytes(state);
        weight += error.map(JobRow::bytes).orElse(0L);
        for (var label : labels.entrySet()) {
            weight += bytes(label.getKey()) + bytes(label.getValue());
        }
        return weight;
    }

    /// In JSON and UTF-8: six where it is escaped.
    private static long bytes(String text) {
        return text.chars()
                .mapToLong(each -> {
                    if (each < ' ') {
                        return 6;
                    }
                    return each >= 0x80 ? 3 : each == '"' || each == '\\' ? 2 : 1;
                })
                .sum();
    }

    /// Whether the outcome is decided; there is no way back.
    public boolean isFinal() {
        return switch (status) {
            case "finished", "failed", "cancelled" -> true;
            default -> false;
        };
    }

    /// The row of `job`, whose last event happened at `updated`.
    public static JobRow of(Job job, Instant updated) {
        return new JobRow(
                job.id(),
                job.spec().blueprint().name(),
                job.spec().client(),
                job.branches().get(0).state(),
                job.status(),
                job.isClosed(),
                job.spec().options().priority(),
                job.spec().options().labels(),
                job.submitted(),
                updated,
                job.errorMessage().map(reason -> ReasonText.bounded(reason, LONGEST_ERROR)),
                job.spec().parentLink().map(ParentLink::parent));
    }
}
