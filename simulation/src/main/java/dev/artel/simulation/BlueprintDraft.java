package dev.artel.simulation;

import dev.artel.engine.shell.RejectedDefinition;
import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.BlueprintSource;
import dev.artel.kernel.job.JobOptions;
import dev.artel.simulation.disk.Copying;
import dev.artel.simulation.world.Mutant;
import dev.artel.simulation.world.Trait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Function;

/// What an [ArtelSimulation] plays; changed only while it is made.
final class BlueprintDraft {
    /// By name; the first is that of the job.
    final SequencedMap<String, Blueprint> blueprints = new LinkedHashMap<>();

    final List<FakeWorker> workers = new ArrayList<>();
    final Set<Trait> faults = EnumSet.noneOf(Trait.class);
    final List<Expected> happenings = new ArrayList<>();
    Duration faultsLast = Duration.ZERO;
    Duration within = Duration.ofDays(1);
    JsonObject initialData = JsonObject.EMPTY;
    JobOptions options = JobOptions.DEFAULTS;
    Copying copying = Copying.NONE;
    Optional<Mutant> mutant = Optional.empty();
    Optional<Function<String, BlueprintSource>> definitions = Optional.empty();

    /// What comes about when.
    record Expected(Duration at, ScriptedEvent what) {}

    BlueprintDraft(Blueprint blueprint) {
        blueprints.put(blueprint.name(), blueprint);
    }

    BlueprintDraft(BlueprintDraft other) {
        blueprints.putAll(other.blueprints);
        workers.addAll(other.workers);
        faults.addAll(other.faults);
        happenings.addAll(other.happenings);
        faultsLast = other.faultsLast;
        within = other.within;
        initialData = other.initialData;
        options = other.options;
        copying = other.copying;
        mutant = other.mutant;
        definitions = other.definitions;
    }

    /// The definition that a job brings along, which is known from now on.
    Blueprint keep(String client, String text) {
        var all =
                definitions
                        .orElseThrow(() ->
                                new RejectedDefinition(
                                        "the simulation reads no definitions; name what does with definitions(...)"))
                        .apply(text)
                        .blueprints();
        all.forEach(each -> blueprints.put(each.name(), each));
        return all.getLast();
    }

    Blueprint blueprint() {
        return blueprints.firstEntry().getValue();
    }
}
