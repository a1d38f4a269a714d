package dev.artel.kernel.store;

import dev.artel.kernel.job.JobId;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;

/// What jobs must be like to be found; what is empty does not matter.
///
/// @param status see [JobRow#status]
/// @param blueprint the name of the definition
/// @param client who submitted them
/// @param labels all of these
/// @param text all of its words stand in the job's error message or labels, see [SearchTerms]
/// @param from submitted then or later
/// @param until submitted before that
/// @param parent started by this job
public record JobFilter(
        Optional<String> status,
        Optional<String> blueprint,
        Optional<String> client,
        SequencedMap<String, String> labels,
        Optional<String> text,
        Optional<Instant> from,
        Optional<Instant> until,
        Optional<JobId> parent) {
    /// Every job.
    public static final JobFilter ALL =
            new JobFilter(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    new LinkedHashMap<>(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());

    /// Copies `labels`.
    public JobFilter {
        labels = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(labels));
    }

    /// Those of these that have a status.
    public JobFilter withStatus(String wanted) {
        return new JobFilter(
                Optional.of(wanted), blueprint, client, labels, text, from, until, parent);
    }

    /// Those of these that are of a blueprint.
    public JobFilter withBlueprint(String wanted) {
        return new JobFilter(
                status, Optional.of(wanted), client, labels, text, from, until, parent);
    }

    /// Those of these that a client submitted.
    public JobFilter withClient(String wanted) {
        return new JobFilter(
                status, blueprint, Optional.of(wanted), labels, text, from, until, parent);
    }

    /// Those of these that have a label.
    public JobFilter withLabel(String name, String value) {
        var more = new LinkedHashMap<>(labels);
        more.put(name, value);
        return new JobFilter(status, blueprint, client, more, text, from, until, parent);
    }

    /// Those of these in which all words of `wanted` stand.
    public JobFilter withText(String wanted) {
        return new JobFilter(
                status, blueprint, client, labels, Optional.of(wanted), from, until, parent);
    }

    /// Those of these that were submitted at `first` or later.
    public JobFilter since(Instant first) {
        return new JobFilter(
                status, blueprint, client, labels, text, Optional.of(first), until, parent);
    }

    /// Those of these that were submitted before `end`.
    public JobFilter before(Instant end) {
        return new JobFilter(
                status, blueprint, client, labels, text, from, Optional.of(end), parent);
    }

    /// Those of these that a job has started.
    public JobFilter withParent(JobId wanted) {
        return new JobFilter(
                status, blueprint, client, labels, text, from, until, Optional.of(wanted));
    }

    /// Whether `row` is one of these.
    public boolean matches(JobRow row) {
        return status.map(row.status()::equals).orElse(true)
                && blueprint.map(row.blueprint()::equals).orElse(true)
                && client.map(row.client()::equals).orElse(true)
                && row.labels().entrySet().containsAll(labels.entrySet())
                && from.map(first -> !row.submitted().isBefore(first)).orElse(true)
                && until.map(row.submitted()::isBefore).orElse(true)
                && parent.map(job -> row.parent().equals(Optional.of(job))).orElse(true)
                && hasTheWords(row);
    }

    /// Whether all words of the text stand in `row`. In none if the text has no words.
    public boolean hasTheWords(JobRow row) {
        if (text.isEmpty()) {
            return true;
        }
        var words = SearchTerms.of(text.get());
        return !words.isEmpty() && SearchTerms.areIn(words, SearchTerms.searched(row));
    }
}
