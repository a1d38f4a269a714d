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
/// @param labels what its operator says of it (`zone`: `eu`)
public record Equipment(
        SequencedMap<String, Double> amounts,
        List<Device> devices,
        List<String> models,
        SequencedMap<String, String> labels) {
    /// Nothing is known.
    public static final Equipment NONE =
            new Equipment(new LinkedHashMap<>(), List.of(), List.of(), new LinkedHashMap<>());

    /// Copies the collections.
    public Equipment {
        amounts = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(amounts));
        devices = List.copyOf(devices);
        models = List.copyOf(models);
        labels = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(labels));
    }

    /// This equipment and `amount` of `name`.
    public Equipment withAmount(String name, double amount) {
        var more = new LinkedHashMap<>(amounts);
        more.put(name, amount);
        return new Equipment(more, devices, models, labels);
    }

    /// This equipment with other devices.
    public Equipment withDevices(List<Device> others) {
        return new Equipment(amounts, others, models, labels);
    }

    /// This equipment with other models.
    public Equipment withModels(List<String> others) {
        return new Equipment(amounts, devices, others, labels);
    }

    /// This equipment and a label.
    public Equipment withLabel(String name, String value) {
        var more = new LinkedHashMap<>(labels);
        more.put(name, value);
        return new Equipment(amounts, devices, models, more);
    }
}
