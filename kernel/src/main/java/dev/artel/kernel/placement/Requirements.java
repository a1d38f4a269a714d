package dev.artel.kernel.placement;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// What a worker must have for a task.
///
/// @param amounts name (`cpu_cores`, `ram_gb`, or any other) to the least of it
/// @param devices what its devices must be
/// @param models what must be installed, by name
/// @param labels what its labels must be
public record Requirements(
        SequencedMap<String, Double> amounts,
        List<DeviceRequirement> devices,
        List<String> models,
        List<Selector> labels) {
    /// Nothing is needed.
    public static final Requirements NOTHING =
            new Requirements(new LinkedHashMap<>(), List.of(), List.of(), List.of());

    /// The most entries of each kind.
    public static final int MOST = 50;

    /// The longest name, in characters.
    public static final int LONGEST_NAME = 200;

    /// Copies the collections; refuses too much.
    public Requirements {
        amounts = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(amounts));
        devices = List.copyOf(devices);
        models = List.copyOf(models);
        labels = List.copyOf(labels);
        if (amounts.size() > MOST
                || devices.size() > MOST
                || models.size() > MOST
                || labels.size() > MOST) {
            throw new IllegalArgumentException(
                    "a task needs at most "
                            + MOST
                            + " amounts, devices, models and labels each, asked for "
                            + amounts.size()
                            + ", "
                            + devices.size()
                            + ", "
                            + models.size()
                            + " and "
                            + labels.size());
        }
        amounts.forEach(Requirements::refuseNonsense);
    }

    static void refuseNonsense(String name, Double least) {
        if (name.isBlank() || name.length() > LONGEST_NAME || !Double.isFinite(least)) {
            throw new IllegalArgumentException(
                    "a task needs a finite amount of something with a name of 1 to "
                            + LONGEST_NAME
                            + " characters, asked for "
                            + least
                            + " of '"
                            + name
                            + "'");
        }
    }

    /// These needs and `least` of `name`.
    public Requirements amount(String name, double least) {
        var more = new LinkedHashMap<>(amounts);
        more.put(name, least);
        return new Requirements(more, devices, models, labels);
    }

    /// These needs and some devices.
    public Requirements device(DeviceRequirement need) {
        return new Requirements(amounts, and(devices, need), models, labels);
    }

    /// These needs and a model.
    public Requirements model(String name) {
        return new Requirements(amounts, devices, and(models, name), labels);
    }

    /// These needs and a label.
    public Requirements label(Selector selector) {
        return new Requirements(amounts, devices, models, and(labels, selector));
    }

    private static <T> List<T> and(List<T> list, T one) {
        var more = new ArrayList<>(list);
        more.add(one);
        return more;
    }
}
