package dev.artel.blueprint;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Deadline;
import dev.artel.kernel.job.Outcomes;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A state that waits for a person, who picks one of the choices of an [Approval].
public final class AskPerson<I, C> extends StateDraft<I, AskPerson<I, C>> {
    private final Approval<C> approval;
    private final StepFunction<I, String> message;
    private Outcomes choices = Outcomes.NONE;
    private DecidingClients deciders = DecidingClients.ANYBODY;
    private @Nullable Deadline deadline;

    AskPerson(
            States<I, ?> states,
            StateRef state,
            Approval<C> approval,
            StepFunction<I, String> message) {
        super(states, state);
        this.approval = approval;
        this.message = message;
    }

    /// Goes to `next` when they pick `choice`.
    public AskPerson<I, C> on(C choice, StateRef next) {
        if (approval.choices().contains(choice)) {
            choices = choices.and(approval.word(choice), leadsTo(next).name());
        } else {
            states.refuse(
                    "state '"
                            + state
                            + "' names the choice '"
                            + choice
                            + "', and its approval has "
                            + approval);
        }
        return this;
    }

    /// Goes to `next` when no decision arrived in time.
    public AskPerson<I, C> within(Duration time, StateRef next) {
        deadline = new Deadline(time, leadsTo(next).name());
        return this;
    }

    /// Says who may decide: `by(it -> it.orGroup("managers").exceptTheSubmitter())`; all who may change the job by default.
    public AskPerson<I, C> by(UnaryOperator<DecidingClients> who) {
        deciders = who.apply(deciders);
        return this;
    }

    @Override
    Action action(Step<I> step) throws Exception {
        var ask = Action.awaitApproval(message.of(step), choices).by(deciders.kernel());
        return deadline == null ? ask : ask.within(deadline.within(), deadline.state());
    }

    @Override
    List<String> problems() {
        var left =
                approval.words().stream()
                        .filter(choice -> choices.after(choice).isEmpty())
                        .toList();
        return left.isEmpty()
                ? List.of()
                : List.of(
                        "asks a person and leads nowhere for " + left + "; add on(choice, state)");
    }

    @Override
    AskPerson<I, C> self() {
        return this;
    }
}
