package dev.artel.kernel.branch;

import java.util.Optional;

/// What a branch knows of the tasks, branches or children that it waits for; they have consecutive numbers.
///
/// @param first the number of the first member
/// @param count how many there are
/// @param window how many are open at once
/// @param started how many have been started, or need not be
/// @param next where to look for the next one to start: none before `first + next` is left
/// @param succeeded how many have ended well
/// @param failed how many have ended otherwise
/// @param policy when they count as joined
/// @param join the state that follows when they are joined
/// @param otherwise the state that follows when they cannot be joined
public record JoinState(
        int first,
        int count,
        int window,
        int started,
        int next,
        int succeeded,
        int failed,
        JoinPolicy policy,
        String join,
        Optional<String> otherwise) {

    /// No branch has ended, and as many have begun as may.
    public static JoinState of(
            int first,
            int count,
            int window,
            JoinPolicy policy,
            String join,
            Optional<String> otherwise) {
        var started = Math.min(window, count);
        return new JoinState(first, count, window, started, started, 0, 0, policy, join, otherwise);
    }

    public JoinState afterSuccess() {
        return with(started, next, succeeded + 1, failed);
    }

    public JoinState afterFailure() {
        return with(started, next, succeeded, failed + 1);
    }

    /// Another one need not be started, wherever it stands.
    public JoinState afterReuse() {
        return with(started + 1, next, succeeded, failed);
    }

    /// The one at `number` was the next to start.
    public JoinState afterStart(int number) {
        return with(started + 1, number - first + 1, succeeded, failed);
    }

    public boolean has(int number) {
        return number >= first && number < first + count;
    }

    public boolean hasMoreToStart() {
        return started < count;
    }

    public JoinPolicy.Progress progress() {
        return JoinPolicy.judge(policy, count, succeeded, failed);
    }

    private JoinState with(int nowStarted, int nowNext, int nowSucceeded, int nowFailed) {
        return new JoinState(
                first,
                count,
                window,
                nowStarted,
                nowNext,
                nowSucceeded,
                nowFailed,
                policy,
                join,
                otherwise);
    }
}
