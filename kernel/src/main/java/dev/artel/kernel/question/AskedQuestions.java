package dev.artel.kernel.question;

import dev.artel.kernel.job.PersistentVector;
import java.util.OptionalInt;

/// The questions that the tasks of a job have asked, open and answered ones. Immutable.
///
/// @param asked in the order of their numbers
/// @param characters of all of them and of their answers
public record AskedQuestions(PersistentVector<Asked> asked, long characters) {
    /// How many characters the questions of a job and their answers may have together. The job keeps them until its run is over.
    public static final long MOST_CHARACTERS = 10_000_000;

    /// None.
    public static final AskedQuestions NONE = new AskedQuestions(PersistentVector.empty(), 0);

    /// A question was asked.
    ///
    /// @param number see [OpenQuestion#number]
    /// @param task whose it is
    public record Asked(long number, int task) {}

    /// With one more.
    ///
    /// @param number higher than all before
    public AskedQuestions with(long number, int task, Question question) {
        return new AskedQuestions(
                asked.append(new Asked(number, task)), characters + question.characters());
    }

    /// One of them has its answer.
    public AskedQuestions withAnswer(String text) {
        return new AskedQuestions(asked, characters + text.length());
    }

    /// The task that asked question `number`; empty if there is no such question. Takes a time that grows with the logarithm of their
    /// number.
    public OptionalInt taskOf(long number) {
        var from = 0;
        var upTo = asked.size();
        while (from < upTo) {
            var middle = (from + upTo) >>> 1;
            var found = asked.get(middle);
            if (found.number() == number) {
                return OptionalInt.of(found.task());
            }
            if (found.number() < number) {
                from = middle + 1;
            } else {
                upTo = middle;
            }
        }
        return OptionalInt.empty();
    }
}
