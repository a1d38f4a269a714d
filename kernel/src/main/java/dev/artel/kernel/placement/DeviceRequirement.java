package dev.artel.kernel.placement;

import dev.artel.kernel.fleet.Device;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/// Devices that a task needs.
///
/// @param model a part of the device's name; empty: any
/// @param amounts name (`vram_gb`, or any other) to the least that each device must have
/// @param count how many such devices; at least 1
public record DeviceRequirement(String model, SequencedMap<String, Double> amounts, int count) {
    /// Copies `amounts`; refuses what no device can be.
    public DeviceRequirement {
        if (count < 1) {
            throw new IllegalArgumentException("at least 1 device is needed, was " + count);
        }
        amounts = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(amounts));
        amounts.forEach(Requirements::refuseNonsense);
    }

    /// A graphics processor.
    public static DeviceRequirement gpu(String model, double vramGb) {
        var amounts = new LinkedHashMap<String, Double>();
        if (vramGb > 0) {
            amounts.put("vram_gb", vramGb);
        }
        return new DeviceRequirement(model, amounts, 1);
    }

    /// So many of them.
    public DeviceRequirement times(int number) {
        return new DeviceRequirement(model, amounts, number);
    }

    boolean admits(Device device) {
        if (!device.model().contains(model)) {
            return false;
        }
        for (var amount : amounts.entrySet()) {
            var has = device.amounts().get(amount.getKey());
            if (has == null || has < amount.getValue()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        var text = new StringBuilder(model.isEmpty() ? "device" : model);
        amounts.forEach((name, least) ->
                text.append(' ').append(name).append(">=").append(UnmetRequirement.number(least)));
        return text.toString();
    }
}
