package dev.artel.engine.core;

import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.store.Append;
import dev.artel.kernel.store.AppendResult;
import dev.artel.kernel.store.StoredEvents;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// An append on its way into the store. While the store cannot take it the same append is repeated: its expected
/// version lets it in once at most, so nothing has to be decided, and no handler has to run, a second time.
///
/// After an attempt whose outcome is unknown a conflict may be with the append itself: the stream shows which.
public final class PendingAppend {
    private final Append append;
    private boolean maybeWritten;

    /// An append that was not tried yet.
    public PendingAppend(Append append) {
        this.append = append;
    }

    /// What became of an append.
    public sealed interface Outcome {
        /// It is in the store.
        record Durable() implements Outcome {}

        /// It is not in the store, and never will be as it is: read the stream and decide again.
        record Failed(String detail) implements Outcome {}

        /// It cannot be written, now or ever.
        record Refused(String detail) implements Outcome {}
    }

    /// What to write.
    public Append append() {
        return append;
    }

    /// The outcome of the last attempt is unknown.
    public void unknown() {
        maybeWritten = true;
    }

    /// Takes the store's answer to an attempt.
    ///
    /// @return empty: read the stream behind the expected version, and call [#compare]
    public Optional<Outcome> answered(AppendResult result) {
        return switch (result) {
            case AppendResult.Appended _ -> Optional.of(new Outcome.Durable());
            case AppendResult.VersionConflict(long actual) ->
                    maybeWritten && actual >= append.expected() + append.events().size()
                            ? Optional.empty()
                            : Optional.of(conflict(actual));
            case AppendResult.Refused(var reason) ->
                    Optional.of(
                            new Outcome.Refused(append.stream() + " cannot be written: " + reason));
        };
    }

    /// Whether the conflict is with an earlier attempt, which got through.
    ///
    /// @param stored what the stream has behind the expected version
    public Outcome compare(List<StoredEvents> stored) {
        var behind = new ArrayList<JobEvent>();
        for (var appended : stored) {
            var known = (int) Math.max(0, append.expected() + 1 - appended.version());
            var events = appended.events();
            behind.addAll(events.subList(Math.min(known, events.size()), events.size()));
        }
        var size = append.events().size();
        return behind.size() >= size && behind.subList(0, size).equals(append.events())
                ? new Outcome.Durable()
                : conflict(append.expected() + behind.size());
    }

    private Outcome conflict(long actual) {
        return new Outcome.Failed(
                append.stream()
                        + " is at version "
                        + actual
                        + ", expected "
                        + append.expected()
                        + "; it is read again");
    }
}
