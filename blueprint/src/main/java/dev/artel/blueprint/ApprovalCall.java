package dev.artel.blueprint;

import dev.artel.kernel.approval.Approvers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// A question to a person, as a function asks it. Immutable; asked by [#ask], [#async] or [#orElseFail].
public final class ApprovalCall {
    /// The choice that [#orElseFail] takes for a yes.
    public static final String APPROVE = "approve";

    private static final String REJECT = "reject";

    private final Function<ApprovalCall, Promise<Decided>> asked;
    private final String message;
    private final Approvers approvers;
    private final List<String> choices;
    private final Optional<Duration> within;

    private ApprovalCall(
            Function<ApprovalCall, Promise<Decided>> asked,
            String message,
            Approvers approvers,
            List<String> choices,
            Optional<Duration> within) {
        this.asked = asked;
        this.message = message;
        this.approvers = approvers;
        this.choices = List.copyOf(choices);
        this.within = within;
    }

    /// The question `message` with the choices `approve` and `reject`, which anybody may decide who may change the job.
    ///
    /// @param asked asks it
    public static ApprovalCall of(String message, Function<ApprovalCall, Promise<Decided>> asked) {
        return new ApprovalCall(
                asked, message, Approvers.ANYBODY, List.of(APPROVE, REJECT), Optional.empty());
    }

    /// What somebody decided.
    ///
    /// @param choice one of the choices
    /// @param by the client, or the holder of the token
    /// @param comment empty if there is none
    public record Decided(String choice, String by, String comment) {}

    /// With other choices, 1 to 20.
    public ApprovalCall choices(String... others) {
        return new ApprovalCall(asked, message, approvers, List.of(others), within);
    }

    /// Only `who` may decide.
    public ApprovalCall by(Approvers who) {
        return new ApprovalCall(asked, message, who, choices, within);
    }

    /// It fails with the code `OVERDUE` if nobody decides within `time`.
    public ApprovalCall within(Duration time) {
        return new ApprovalCall(asked, message, approvers, choices, Optional.of(time));
    }

    /// What is to be decided.
    public String message() {
        return message;
    }

    /// Who may decide.
    public Approvers approvers() {
        return approvers;
    }

    /// What can be chosen.
    public List<String> choices() {
        return choices;
    }

    /// How long it waits; empty: as long as it takes.
    public Optional<Duration> within() {
        return within;
    }

    /// Asks, and goes on meanwhile.
    public Promise<Decided> async() {
        return asked.apply(this);
    }

    /// Asks, and waits for the decision.
    ///
    /// @throws CallFailed if nobody decides in time
    public Decided ask() {
        return async().get();
    }

    /// Asks, and fails the job with `reason` unless somebody chooses `approve` in time.
    ///
    /// @throws RunFailed with `reason`
    public Decided orElseFail(String reason) {
        Decided decided;
        try {
            decided = ask();
        } catch (CallFailed overdue) {
            throw new RunFailed(reason);
        }
        if (!decided.choice().equals(APPROVE)) {
            throw new RunFailed(reason + " (" + decided.choice() + " by " + decided.by() + ")");
        }
        return decided;
    }
}
