package dev.artel.kernel.fleet;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// What a worker's machine has.
///
/// @param amounts name (`cpu_cores`, `ram_gb`, or any other) to how much of it
/// @param devices processors and other devices, one by one
/// @param models the models that are installed, by name
/// @param labels what its operator has set (`zone`: `eu`)
public record WorkerResources(
        SequencedMap<String, Double> amounts,
        List<Device> devices,
        List<String> models,
        SequencedMap<String, String> labels) {
    /// Nothing is known.
    public static final WorkerResources NONE =
            new WorkerResources(new LinkedHashMap<>(), List.of(), List.of(), new LinkedHashMap<>());

    /// Copies the collections.
    public WorkerResources {
        amounts = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(amounts));
        devices = List.copyOf(devices);
        models = List.copyOf(models);
        labels = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(labels));
    }

    /// This equipment and `amount` of `name`.
    public WorkerResources withAmount(String name, double amount) {
        var more = new LinkedHashMap<>(amounts);
        more.put(name, amount);
        return new WorkerResources(more, devices, models, labels);
    }

    /// This equipment with other devices.
    public WorkerResources withDevices(List<Device> others) {
        return new WorkerResources(amounts, others, models, labels);
    }

    /// This equipment with other models.
    public WorkerResources withModels(List<String> others) {
        return new WorkerResources(amounts, devices, others, labels);
    }

    /// This equipment and a label.
    public WorkerResources withLabel(String name, String value) {
        var more = new LinkedHashMap<>(labels);
        more.put(name, value);
        return new WorkerResources(amounts, devices, models, more);
    }
}
