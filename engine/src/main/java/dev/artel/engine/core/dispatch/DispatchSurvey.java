package dev.artel.engine.core.dispatch;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// What waits for workers, and what workers have, at a moment.
///
/// @param waiting for each task type that has tasks that wait
/// @param leased for each task type how many slots it takes up; types without are missing
/// @param fleet the workers
public record DispatchSurvey(
        List<WaitingType> waiting, SequencedMap<String, Integer> leased, FleetUse fleet) {
    /// Copies the collections.
    public DispatchSurvey {
        waiting = List.copyOf(waiting);
        leased = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(leased));
    }

    /// The tasks of a type that wait.
    ///
    /// @param tasks how many
    /// @param oldest since when the one waits that waits longest, in whole seconds; it may lie ahead, where all of them back off
    /// @param reasons why, the one with most tasks first. Where there are very many different demands, not all of `tasks` are
    ///     among them
    public record WaitingType(
            String type, int tasks, Instant oldest, List<WaitingForReason> reasons) {
        /// Copies the list.
        public WaitingType {
            reasons = List.copyOf(reasons);
        }
    }

    /// The workers of the fleet.
    ///
    /// @param workers how many are there
    /// @param draining how many of them get nothing more
    /// @param slots how many tasks all of them may have at once
    /// @param busy how many of these are taken up
    /// @param wires for each wire how many are there
    public record FleetUse(
            int workers, int draining, int slots, int busy, SequencedMap<String, Integer> wires) {
        /// Copies the map.
        public FleetUse {
            wires = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(wires));
        }
    }
}
