package dev.artel.blueprint;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// A question to a person, as a function or a handler of an annotated class asks it. Immutable.
///
/// @param approval the choices
/// @param message what is to be decided
/// @param deciders which clients may decide
/// @param within how long it waits; empty: as long as it takes
/// @param <C> a choice
public record ApprovalCall<C>(
        Approval<C> approval, String message, DecidingClients deciders, Optional<Duration> within) {
    /// Refuses a question without its parts.
    public ApprovalCall {
        Objects.requireNonNull(approval, "approval");
        Objects.requireNonNull(message, "message");
    }

    /// A question with the choices of [Approval#YES_OR_NO], which each client may decide that may change the job.
    public static ApprovalCall<Verdict> of(String message) {
        return of(Approval.YES_OR_NO, message);
    }

    /// A question with the choices of `approval`, which each client may decide that may change the job.
    public static <C> ApprovalCall<C> of(Approval<C> approval, String message) {
        return new ApprovalCall<>(approval, message, DecidingClients.ANYBODY, Optional.empty());
    }

    /// Says who may decide: `by(it -> it.orGroup("managers").exceptTheSubmitter())`.
    public ApprovalCall<C> by(UnaryOperator<DecidingClients> change) {
        return new ApprovalCall<>(approval, message, change.apply(deciders), within);
    }

    /// Waits so long for the decision.
    public ApprovalCall<C> within(Duration time) {
        return new ApprovalCall<>(approval, message, deciders, Optional.of(time));
    }
}
