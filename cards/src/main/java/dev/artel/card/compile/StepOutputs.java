package dev.artel.card.compile;

import dev.artel.card.step.CardStep;
import java.util.Optional;

/// Under which names the job keeps what steps bring.
final class StepOutputs {
    private StepOutputs() {}

    /// The variable that receives the output of `step`, or a name of its own that no variable has.
    static String nameOf(CardStep step) {
        var output =
                switch (step) {
                    case CardStep.CallAction action -> action.output();
                    case CardStep.AwaitEvent wait -> wait.output();
                    case CardStep.AskHuman ask -> ask.output();
                    case CardStep.Together together -> together.output();
                    case CardStep.RunCard run -> run.output();
                    case CardStep.Decide _,
                            CardStep.Complete _,
                            CardStep.Pause _,
                            CardStep.Replan _ ->
                            Optional.<String>empty();
                };
        return output.orElse(step.id() + ".output");
    }
}
