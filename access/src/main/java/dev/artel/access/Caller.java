package dev.artel.access;

import dev.artel.json.JsonObject;
import dev.artel.kernel.approval.Approvers;
import dev.artel.kernel.job.ClientPlan;
import dev.artel.kernel.job.JobSpec;
import java.util.List;
import java.util.Optional;

/// A client whose token was good.
///
/// @param name the name of the client; its jobs carry it
/// @param plan what it pays for, in the words of its file; `unknown` if it names none
/// @param groups for approvals that name those who may decide
/// @param params what its file hands to blueprints
/// @param maxPriority the highest priority that its jobs may have; infinity: any
public record Caller(
        String name,
        Role role,
        List<String> groups,
        String plan,
        JsonObject params,
        double maxPriority) {
    /// Copies `groups`.
    public Caller {
        groups = List.copyOf(groups);
    }

    /// What the handlers of its jobs go by.
    public ClientPlan terms() {
        return new ClientPlan(plan, params);
    }

    /// Whether it may know that a job of `owner` exists.
    public boolean sees(String owner) {
        return role != Role.CLIENT || owner.equals(name);
    }

    /// Whether it may change a job of `owner`.
    public boolean mayChange(String owner) {
        return switch (role) {
            case CLIENT -> owner.equals(name);
            case VIEWER -> false;
            case OPERATOR -> true;
        };
    }

    /// Whether it may decide about an approval of `job`.
    public boolean mayDecide(Approvers approvers, JobSpec job) {
        return role != Role.VIEWER
                && (approvers.areNamed() || mayChange(job.client()))
                && approvers.include(name, groups, job::isSubmitter);
    }

    /// Whether it may submit jobs.
    public boolean maySubmit() {
        return role != Role.VIEWER;
    }

    /// Whether it may operate the orchestrator: drain workers, read its files again and the like.
    public boolean mayOperate() {
        return role == Role.OPERATOR;
    }

    /// The only client whose jobs it sees; empty if it sees those of all.
    public Optional<String> onlyClient() {
        return role == Role.CLIENT ? Optional.of(name) : Optional.empty();
    }
}
