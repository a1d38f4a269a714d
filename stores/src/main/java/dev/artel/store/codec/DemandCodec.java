package dev.artel.store.codec;

import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.placement.Affinity;
import dev.artel.kernel.placement.Demand;
import dev.artel.kernel.placement.DeviceRequirement;
import dev.artel.kernel.placement.Exclusion;
import dev.artel.kernel.placement.Preferences;
import dev.artel.kernel.placement.Requirements;
import dev.artel.kernel.placement.SecretUse;
import dev.artel.kernel.placement.Selector;
import dev.artel.kernel.placement.Strategy;
import dev.artel.kernel.placement.WarmPolicy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// The form of what tasks ask of workers. What asks nothing is left out.
final class DemandCodec {
    private DemandCodec() {}

    static void write(Demand demand, JsonOut out) throws IOException {
        if (demand.equals(Demand.NONE)) {
            return;
        }
        out.begin("demand");
        switch (demand) {
            case Demand(
                            var requirements,
                            var maxCost,
                            var category,
                            var preferences,
                            var secrets) -> {
                writeNeeds(requirements, out);
                if (maxCost.isPresent()) {
                    out.decimal("maxCost", maxCost.get());
                }
                out.text("category", category);
                writeChoice(preferences, out);
                writeSecrets(secrets, out);
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
                        readChoice(in),
                        readSecrets(in));
        in.end();
        return demand;
    }

    private static void writeSecrets(List<SecretUse> secrets, JsonOut out) throws IOException {
        if (secrets.isEmpty()) {
            return;
        }
        out.beginArray("secrets");
        for (var secret : secrets) {
            out.begin();
            switch (secret) {
                case SecretUse(var at, var from, var name) -> {
                    out.text("at", at);
                    out.number("from", from);
                    out.text("name", name);
                }
            }
            out.end();
        }
        out.endArray();
    }

    private static List<SecretUse> readSecrets(JsonIn in) throws IOException {
        var secrets = new ArrayList<SecretUse>();
        if (in.isNext("secrets")) {
            in.beginArray("secrets");
            while (in.beginNext()) {
                secrets.add(new SecretUse(in.text("at"), in.integer("from"), in.text("name")));
                in.end();
            }
        }
        return secrets;
    }

    private static void writeNeeds(Requirements requirements, JsonOut out) throws IOException {
        switch (requirements) {
            case Requirements(var amounts, var devices, var models, var labels) -> {
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

    private static Requirements readNeeds(JsonIn in) throws IOException {
        return new Requirements(
                readAmounts(in), readDevices(in), in.texts("models"), readLabels(in));
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

    private static void writeDevice(DeviceRequirement device, JsonOut out) throws IOException {
        out.begin();
        switch (device) {
            case DeviceRequirement(var model, var amounts, var count) -> {
                out.text("model", model);
                writeAmounts(amounts, out);
                out.number("count", count);
            }
        }
        out.end();
    }

    private static List<DeviceRequirement> readDevices(JsonIn in) throws IOException {
        var devices = new ArrayList<DeviceRequirement>();
        if (in.isNext("devices")) {
            in.beginArray("devices");
            while (in.beginNext()) {
                devices.add(
                        new DeviceRequirement(
                                in.text("model"), readAmounts(in), in.integer("count")));
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

    private static void writeChoice(Preferences preferences, JsonOut out) throws IOException {
        switch (preferences) {
            case Preferences(var strategy, var warmPolicy, var affinity, var exclusion) -> {
                if (strategy != Strategy.DEFAULT) {
                    out.text("strategy", strategy.name());
                }
                switch (warmPolicy) {
                    case WarmPolicy.Any _ -> {}
                    case WarmPolicy.Required _ -> out.flag("warmRequired", true);
                    case WarmPolicy.PreferredFor(var time) ->
                            out.duration("warmPreferredFor", time);
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

    private static Preferences readChoice(JsonIn in) throws IOException {
        return new Preferences(
                in.isNext("strategy") ? Strategy.valueOf(in.text("strategy")) : Strategy.DEFAULT,
                readWarmPolicy(in),
                readAffinity(in),
                in.isNext("exclusion")
                        ? Exclusion.valueOf(in.text("exclusion"))
                        : Exclusion.OTHERS_FIRST);
    }

    private static WarmPolicy readWarmPolicy(JsonIn in) throws IOException {
        if (in.flag("warmRequired")) {
            return WarmPolicy.REQUIRED;
        }
        return in.optionalDuration("warmPreferredFor")
                .<WarmPolicy>map(WarmPolicy.PreferredFor::new)
                .orElse(WarmPolicy.ANY);
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
