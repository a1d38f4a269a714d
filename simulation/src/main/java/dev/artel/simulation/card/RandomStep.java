package dev.artel.simulation.card;

import java.util.List;
import java.util.Optional;

/// A step of a [RandomCard], as its judges know it.
///
/// @param id the letter `s` and a number, unique in its card
/// @param needs the steps on which it depends
/// @param next the step that follows, where the card names one
record RandomStep(String id, List<String> needs, Optional<String> next, Work work) {
    /// The word for a step that has failed for good, after which the card fails.
    static final String ABORT = "abort";

    /// The word for a step that has failed for good, after which the card goes on.
    static final String CONTINUE = "continue";

    /// The word for a step that has failed for good, after which a person is asked.
    static final String ESCALATE = "escalate";

    /// Copies `needs`.
    RandomStep {
        needs = List.copyOf(needs);
    }

    /// What a step does.
    sealed interface Work {}

    /// A worker makes a number, from another one.
    ///
    /// @param reads where the other one is
    /// @param more further keys, as they are written
    record Act(
            String action,
            Reading reads,
            Optional<Quality> quality,
            boolean isCompensated,
            String onFailure,
            String more)
            implements Work {}

    /// Its output is judged.
    record Quality(double pass, double marginal, int most, boolean isMarginalRetried) {
        /// Whether an output of this score is done again while it may be.
        boolean isDoneAgain(double score) {
            return score < pass && (score < marginal || isMarginalRetried);
        }
    }

    /// One of two steps follows.
    ///
    /// @param least the number from which on `then` follows
    /// @param otherwise empty: the next one in the text
    record Choose(Reading reads, long least, String then, Optional<String> otherwise)
            implements Work {}

    /// Time passes.
    record Pause(long millis) implements Work {}

    /// It waits for a signal.
    ///
    /// @param seconds how long; 0: without an end
    record Await(String event, long seconds, String onTimeout) implements Work {}

    /// It waits for a person.
    ///
    /// @param seconds how long; 0: without an end
    record Ask(long seconds, String onReject) implements Work {}

    /// Some lists of steps run at the same time.
    ///
    /// @param required how many must succeed; 0: all
    record Together(List<List<RandomStep>> branches, int required, String onFailure)
            implements Work {
        /// Copies the lists.
        Together {
            branches = branches.stream().map(List::copyOf).toList();
        }
    }

    /// Another card runs, or several times.
    ///
    /// @param card its name
    /// @param inner empty: it is a card of its own
    /// @param times how often, at once or one after another; -1: it is no loop
    record Run(
            String card,
            Optional<RandomCard> inner,
            Reading reads,
            int times,
            int atOnce,
            String onFailure)
            implements Work {
        /// Whether it runs in a loop.
        boolean isLoop() {
            return times >= 0;
        }
    }

    /// The process ends.
    record Complete(String status, Reading reads) implements Work {}

    /// Where a number comes from.
    sealed interface Reading {
        /// The reference in a card.
        String reference();
    }

    /// The number with which the process was started.
    record OfInput() implements Reading {
        @Override
        public String reference() {
            return "${input." + RandomCard.NUMBER + "}";
        }
    }

    /// What an earlier step has made.
    ///
    /// @param variable that has it
    record OfStep(String variable) implements Reading {
        @Override
        public String reference() {
            return "${" + variable + "." + RandomCard.MADE + "}";
        }
    }

    /// The variable that receives its output.
    String variable() {
        return "v" + id.substring(1);
    }

    /// It with another one that follows.
    RandomStep before(String other) {
        return new RandomStep(id, needs, Optional.of(other), work);
    }

    /// It, if it depends on others.
    RandomStep needing(List<String> others) {
        return new RandomStep(id, others, next, work);
    }
}
