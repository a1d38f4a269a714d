package dev.artel.store.codec;

import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.placement.Affinity;
import dev.artel.kernel.placement.Choice;
import dev.artel.kernel.placement.Demand;
import dev.artel.kernel.placement.DeviceNeed;
import dev.artel.kernel.placement.Exclusion;
import dev.artel.kernel.placement.Needs;
import dev.artel.kernel.placement.Selector;
import dev.artel.kernel.placement.Strategy;
import dev.artel.kernel.placement.Warmth;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// The form of what tasks ask of workers. What asks nothing is left out.
final class DemandParts {
    private DemandParts() {}

    static void write(Demand demand, JsonOut out) throws IOException {
        if (demand.equals(Demand.NONE)) {
            return;
        }
        out.begin("demand");
        switch (demand) {
            case Demand(var needs, var maxCost, var category, var choice) -> {
                writeNeeds(needs, out);
                if (maxCost.isPresent()) {
                    out.decimal("maxCost", maxCost.get());
                }
                out.text("category", category);
                writeChoice(choice, out);
            }
        }
        out.end();
    }

    static Demand read(JsonIn in) throws IOException {
        if (!in.beginIfThere("demand")) {
            return Demand.NONE;
        }
        var demand =
                new Demand(
                        readNeeds(in),
                        in.isNext("maxCost")
                                ? Optional.of(in.decimal("maxCost"))
                                : Optional.empty(),
                        in.optionalText("category"),
                        readChoice(in));
        in.end();
        return demand;
    }

    private static void writeNeeds(Needs needs, JsonOut out) throws IOException {
        switch (needs) {
            case Needs(var amounts, var devices, var models, var labels) -> {
                writeAmounts(amounts, out);
                if (!devices.isEmpty()) {
                    out.beginArray("devices");
                    for (var device : devices) {
                        writeDevice(device, out);
                    }
                    out.endArray();
                }
                out.texts("models", models);
                if (!labels.isEmpty()) {
                    out.beginArray("labels");
                    for (var selector : labels) {
                        writeSelector(selector, out);
                    }
                    out.endArray();
                }
            }
        }
    }

    private static Needs readNeeds(JsonIn in) throws IOException {
        return new Needs(readAmounts(in), readDevices(in), in.texts("models"), readLabels(in));
    }

    private static void writeAmounts(SequencedMap<String, Double> amounts, JsonOut out)
            throws IOException {
        if (!amounts.isEmpty()) {
            out.begin("amounts");
            for (var amount : amounts.entrySet()) {
                out.decimal(amount.getKey(), amount.getValue());
            }
            out.end();
        }
    }

    private static SequencedMap<String, Double> readAmounts(JsonIn in) throws IOException {
        var amounts = new LinkedHashMap<String, Double>();
        if (in.beginIfThere("amounts")) {
            for (var name = in.nextName(); name != null; name = in.nextName()) {
                amounts.put(name, in.decimal(name));
            }
            in.end();
        }
        return amounts;
    }

    private static void writeDevice(DeviceNeed device, JsonOut out) throws IOException {
        out.begin();
        switch (device) {
            case DeviceNeed(var model, var amounts, var count) -> {
                out.text("model", model);
                writeAmounts(amounts, out);
                out.number("count", count);
            }
        }
        out.end();
    }

    private static List<DeviceNeed> readDevices(JsonIn in) throws IOException {
        var devices = new ArrayList<DeviceNeed>();
        if (in.isNext("devices")) {
            in.beginArray("devices");
            while (in.beginNext()) {
                devices.add(new DeviceNeed(in.text("model"), readAmounts(in), in.integer("count")));
                in.end();
            }
        }
        return devices;
    }

    private static void writeSelector(Selector selector, JsonOut out) throws IOException {
        out.begin();
        switch (selector) {
            case Selector(var label, var test, var values) -> {
                out.text("label", label);
                out.text("test", test.name());
                out.texts("values", values);
            }
        }
        out.end();
    }

    private static List<Selector> readLabels(JsonIn in) throws IOException {
        var labels = new ArrayList<Selector>();
        if (in.isNext("labels")) {
            in.beginArray("labels");
            while (in.beginNext()) {
                labels.add(
                        new Selector(
                                in.text("label"),
                                Selector.Test.valueOf(in.text("test")),
                                in.texts("values")));
                in.end();
            }
        }
        return labels;
    }

    private static void writeChoice(Choice choice, JsonOut out) throws IOException {
        switch (choice) {
            case Choice(var strategy, var warmth, var affinity, var exclusion) -> {
                if (strategy != Strategy.DEFAULT) {
                    out.text("strategy", strategy.name());
                }
                switch (warmth) {
                    case Warmth.Any _ -> {}
                    case Warmth.Required _ -> out.flag("warmRequired", true);
                    case Warmth.PreferredFor(var time) -> out.duration("warmPreferredFor", time);
                }
                if (affinity.isPresent()) {
                    writeAffinity(affinity.get(), out);
                }
                if (exclusion != Exclusion.OTHERS_FIRST) {
                    out.text("exclusion", exclusion.name());
                }
            }
        }
    }

    private static Choice readChoice(JsonIn in) throws IOException {
        return new Choice(
                in.isNext("strategy") ? Strategy.valueOf(in.text("strategy")) : Strategy.DEFAULT,
                readWarmth(in),
                readAffinity(in),
                in.isNext("exclusion")
                        ? Exclusion.valueOf(in.text("exclusion"))
                        : Exclusion.OTHERS_FIRST);
    }

    private static Warmth readWarmth(JsonIn in) throws IOException {
        if (in.flag("warmRequired")) {
            return Warmth.REQUIRED;
        }
        return in.optionalDuration("warmPreferredFor")
                .<Warmth>map(Warmth.PreferredFor::new)
                .orElse(Warmth.ANY);
    }

    private static void writeAffinity(Affinity affinity, JsonOut out) throws IOException {
        out.begin("affinity");
        switch (affinity) {
            case Affinity(var task, var required, var worker) -> {
                out.number("task", task);
                out.flag("required", required);
                out.text("worker", worker.map(WorkerId::value));
            }
        }
        out.end();
    }

    private static Optional<Affinity> readAffinity(JsonIn in) throws IOException {
        if (!in.beginIfThere("affinity")) {
            return Optional.empty();
        }
        var affinity =
                new Affinity(
                        in.integer("task"),
                        in.flag("required"),
                        in.optionalText("worker").map(WorkerId::new));
        in.end();
        return Optional.of(affinity);
    }
}
