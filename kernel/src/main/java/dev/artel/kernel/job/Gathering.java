package dev.artel.kernel.job;

import java.util.Optional;

/// What a strand knows of the branches that it waits for; they have consecutive numbers.
///
/// @param first the number of the first branch
/// @param count how many there are
/// @param started how many have been started; the next one to start is `first + started`
/// @param succeeded how many have ended well
/// @param failed how many have ended otherwise
/// @param policy when they count as joined
/// @param join the state that follows when they are joined
/// @param otherwise the state that follows when they cannot be joined
public record Gathering(
        int first,
        int count,
        int started,
        int succeeded,
        int failed,
        JoinPolicy policy,
        String join,
        Optional<String> otherwise) {

    Gathering afterSuccess() {
        return new Gathering(first, count, started, succeeded + 1, failed, policy, join, otherwise);
    }

    Gathering afterFailure() {
        return new Gathering(first, count, started, succeeded, failed + 1, policy, join, otherwise);
    }

    Gathering afterStart() {
        return new Gathering(first, count, started + 1, succeeded, failed, policy, join, otherwise);
    }

    boolean hasMoreToStart() {
        return started < count;
    }

    JoinPolicy.Verdict verdict() {
        return JoinPolicy.judge(policy, count, succeeded, failed);
    }
}
