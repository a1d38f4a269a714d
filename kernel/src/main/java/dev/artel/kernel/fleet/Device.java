package dev.artel.kernel.fleet;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/// A device of a worker's machine, such as a graphics processor.
///
/// @param model its name; empty where unknown
/// @param amounts name (`vram_gb`, or any other) to how much of it
public record Device(String model, SequencedMap<String, Double> amounts) {
    /// Copies `amounts`.
    public Device {
        amounts = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(amounts));
    }

    /// A graphics processor.
    public static Device gpu(String model, double vramGb) {
        var amounts = new LinkedHashMap<String, Double>();
        amounts.put("vram_gb", vramGb);
        return new Device(model, amounts);
    }
}
