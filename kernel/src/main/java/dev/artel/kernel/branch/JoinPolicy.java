package dev.artel.kernel.branch;

/// When several branches count as joined, and what becomes of the rest.
public sealed interface JoinPolicy {
    /// Every branch must succeed; waits for all of them to end, also when one has failed.
    All ALL = new All();

    /// Every branch must succeed; the first failure cancels the rest.
    FailFast FAIL_FAST = new FailFast();

    /// Waits for all branches; failures are for the join state to look at.
    Settled SETTLED = new Settled();

    /// `required` branches must succeed; then, or when that has become impossible, the rest is cancelled.
    static AtLeast atLeast(int required) {
        return new AtLeast(required);
    }

    /// See [#ALL].
    record All() implements JoinPolicy {}

    /// See [#FAIL_FAST].
    record FailFast() implements JoinPolicy {}

    /// See [#SETTLED].
    record Settled() implements JoinPolicy {}

    /// See [#atLeast].
    ///
    /// @param required at least 1
    record AtLeast(int required) implements JoinPolicy {
        /// Refuses a policy that needs nothing.
        public AtLeast {
            if (required < 1) {
                throw new IllegalArgumentException(
                        "atLeast must require 1 or more, was " + required);
            }
        }
    }

    /// The state of a policy at some moment.
    enum Progress {
        /// Go on waiting.
        WAIT,
        /// Go on to the join state.
        JOINED,
        /// Can no longer be joined.
        FAILED
    }

    /// The state of `policy` for `total` branches of which `succeeded` and `failed` have ended so. Static, since a default
    /// method would make the interface's constants and its records initialise each other.
    static Progress judge(JoinPolicy policy, int total, int succeeded, int failed) {
        var over = succeeded + failed == total;
        return switch (policy) {
            case All _ when !over -> Progress.WAIT;
            case All _ -> failed == 0 ? Progress.JOINED : Progress.FAILED;
            case FailFast _ when failed > 0 -> Progress.FAILED;
            case FailFast _ -> over ? Progress.JOINED : Progress.WAIT;
            case Settled _ -> over ? Progress.JOINED : Progress.WAIT;
            case AtLeast(int required) when succeeded >= required -> Progress.JOINED;
            case AtLeast(int required) ->
                    total - failed < required ? Progress.FAILED : Progress.WAIT;
        };
    }

    /// What is left of `policy` for others once `succeeded` have.
    static JoinPolicy rest(JoinPolicy policy, int succeeded) {
        return policy instanceof AtLeast(int required)
                ? new AtLeast(Math.max(1, required - succeeded))
                : policy;
    }
}
