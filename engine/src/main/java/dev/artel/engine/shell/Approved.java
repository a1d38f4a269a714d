package dev.artel.engine.shell;

import dev.artel.kernel.approval.Approvers;
import dev.artel.kernel.job.JobEvent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Where a job asks people about whom its approvals name: what stands behind such an approval was let through by them, with the data that
/// the job had. Nobody else changes these data there, or they would be asked for one thing and another would be done.
final class Approved {
    private final Map<Integer, String> states = new HashMap<>();

    /// The states that ask.
    private final Set<String> asking = new HashSet<>();

    private Optional<String> asked = Optional.empty();

    private Approved() {}

    /// The state whose approval stands before the last visit of `state` by branch 0; empty if none does, or if `state` asks itself.
    ///
    /// @param events of the job, all of them, in order; iterated once
    static Optional<String> before(Iterable<JobEvent> events, String state) {
        var approved = new Approved();
        var before = Optional.<String>empty();
        for (var event : events) {
            approved.happened(event);
            if (event instanceof JobEvent.StateEntered entered
                    && entered.branch() == 0
                    && entered.state().equals(state)) {
                before = approved.asked;
            }
        }
        return approved.asking.contains(state) ? Optional.empty() : before;
    }

    /// The last state whose approval was asked for; empty if there was none.
    ///
    /// @param events of the job, all of them, in order; iterated once
    static Optional<String> any(Iterable<JobEvent> events) {
        var approved = new Approved();
        events.forEach(approved::happened);
        return approved.asked;
    }

    private void happened(JobEvent event) {
        if (event instanceof JobEvent.StateEntered entered) {
            states.put(entered.branch(), entered.state());
        }
        if (event instanceof JobEvent.ApprovalRequested request
                && !request.approval().approvers().equals(Approvers.ANYBODY)) {
            var state = states.getOrDefault(request.branch(), "");
            asking.add(state);
            asked = Optional.of(state);
        }
    }

    /// Why something that is about to be done is refused.
    ///
    /// @param what is attempted, such as `job 7 cannot be forked in state 'pay'`
    /// @param asking the state whose approval stands before it
    static String refusal(String what, String asking) {
        return what
                + ": people whom its approval in state '"
                + asking
                + "' names have let it through with the data that it had; go back to state '"
                + asking
                + "' or to one before it, so that they are asked again, or submit another job";
    }
}
