package dev.artel.card.compile;

import dev.artel.card.read.CardVariables;
import dev.artel.card.template.TemplateScope;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Step;
import java.util.Optional;
import java.util.SequencedMap;

/// What a step of a card sees of its process: what it was started with, its variables, and its names.
///
/// @param step the step as the kernel gives it
/// @param id of the step of the card
/// @param declared the values with which variables begin
record StepView(Step step, String id, SequencedMap<String, JsonValue> declared)
        implements TemplateScope {
    @Override
    public Optional<JsonValue> variable(String name) {
        return switch (name) {
            case CardVariables.INPUT -> Optional.of(step.initialData());
            case "task_id", "process_id" -> Optional.of(new JsonString(step.job().value()));
            case "step_id" -> Optional.of(new JsonString(id));
            default -> step.data().get(name).or(() -> Optional.ofNullable(declared.get(name)));
        };
    }

    /// The same step with all that is seen as its data, for conditions.
    Step forCondition() {
        var data = JsonObject.builder();
        declared.forEach(data::put);
        data.putAll(step.data());
        data.put(CardVariables.INPUT, step.initialData());
        for (var name : new String[] {"task_id", "process_id", "step_id"}) {
            variable(name).ifPresent(value -> data.put(name, value));
        }
        return new Step(
                step.job(),
                step.state(),
                step.attempt(),
                step.branch(),
                step.client(),
                step.clientPlan(),
                step.labels(),
                step.initialData(),
                data.build(),
                step.results(),
                step.children(),
                step.stores(),
                step.version(),
                step.past());
    }
}
