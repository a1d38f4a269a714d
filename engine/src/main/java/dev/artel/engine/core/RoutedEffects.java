package dev.artel.engine.core;

import dev.artel.kernel.job.Effect;
import java.util.ArrayList;
import java.util.List;

/// The effects of a list by who does them, each in the order of the list. What is outside has no receiver: its job itself
/// holds it.
///
/// @param steps for who runs handlers
/// @param indexed for the coordinator
/// @param crossJob commands that jobs send each other
/// @param calls for the relay of webhooks
public record RoutedEffects(
        List<Effect.RunStep> steps,
        List<Effect.Indexed> indexed,
        List<Effect.CrossJob> crossJob,
        List<Effect.CallWebhook> calls) {

    /// Routes each of `effects`.
    public static RoutedEffects of(List<? extends Effect> effects) {
        var routed =
                new RoutedEffects(
                        new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        effects.forEach(routed::route);
        return routed;
    }

    /// The one place that knows who does what: an effect of a new kind does not compile without a row.
    private void route(Effect effect) {
        switch (effect) {
            case Effect.RunStep step -> steps.add(step);
            case Effect.Indexed entry -> indexed.add(entry);
            case Effect.CrossJob command -> crossJob.add(command);
            case Effect.CallWebhook call -> calls.add(call);
            case Effect.Outside _ -> {}
        }
    }
}
