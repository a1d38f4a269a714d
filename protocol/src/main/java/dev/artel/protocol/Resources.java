package dev.artel.protocol;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// What a worker's machine offers.
///
/// @param cpuCores null if the worker did not declare it
/// @param ramGb null if the worker did not declare it
/// @param gpus the graphics processors and other devices, the best first
/// @param more any other amount, by name
public record Resources(
        @Nullable Double cpuCores,
        @Nullable Double ramGb,
        List<Gpu> gpus,
        SequencedMap<String, Double> more) {
    /// Resources of which nothing is known.
    public static final Resources UNKNOWN = new Resources(null, null, List.of());

    /// Copies the collections.
    public Resources {
        gpus = List.copyOf(gpus);
        more = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(more));
    }

    /// Resources without other amounts.
    public Resources(@Nullable Double cpuCores, @Nullable Double ramGb, List<Gpu> gpus) {
        this(cpuCores, ramGb, gpus, new LinkedHashMap<>());
    }

    /// A graphics processor, or another device.
    ///
    /// @param more any other amount, by name
    public record Gpu(String model, double vramGb, SequencedMap<String, Double> more) {
        /// Copies `more`.
        public Gpu {
            more = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(more));
        }

        /// A graphics processor without other amounts.
        public Gpu(String model, double vramGb) {
            this(model, vramGb, new LinkedHashMap<>());
        }

        static Optional<Gpu> read(JsonValue value, String path) {
            var fields = Fields.of(value, path);
            if (!isGpu(fields)) {
                return Optional.empty();
            }
            var model = fields.findString("model");
            var properties = fields.findObject("properties");
            var vram = fields.findDecimal("vram_gb");
            if (vram == null && properties != null) {
                vram = properties.findDecimal("vram_gb");
                vram = vram == null ? properties.findDecimal("memory_gb") : vram;
            }
            if (model == null && vram == null) {
                return Optional.empty();
            }
            var more = amounts(fields, "vram_gb");
            if (properties != null) {
                more.putAll(amounts(properties, "vram_gb", "memory_gb"));
            }
            return Optional.of(new Gpu(model == null ? "" : model, vram == null ? 0 : vram, more));
        }

        /// A device without a type is one; a TPU among others is not.
        private static boolean isGpu(Fields fields) {
            return fields.object()
                    .string("type")
                    .filter(type -> !type.isBlank())
                    .map(type -> type.toLowerCase(Locale.ROOT).contains("gpu"))
                    .orElse(true);
        }

        JsonObject toJson() {
            var json =
                    JsonObject.builder().put("model", model).put("vram_gb", JsonNumbers.of(vramGb));
            more.forEach((name, amount) -> json.put(name, JsonNumbers.of(amount)));
            return json.build();
        }
    }

    /// Reads `{"cpu_cores","ram_gb","gpu_info"}` as well as `{"properties":{...},"devices":[...]}`.
    static Resources read(Fields fields) {
        var nested = fields.findObject("properties");
        var properties = nested == null ? fields : nested;
        var gpu = fields.find("gpu_info");
        var gpus =
                fields.has("devices") || gpu == null
                        ? fields.list("devices", Gpu::read)
                        : List.of(Gpu.read(gpu, fields.at("gpu_info")));
        return new Resources(
                properties.findDecimal("cpu_cores"),
                properties.findDecimal("ram_gb"),
                gpus.stream().flatMap(Optional::stream).toList(),
                amounts(properties, "cpu_cores", "ram_gb", "max_concurrent_tasks"));
    }

    /// The members that are numbers, except `known`.
    private static SequencedMap<String, Double> amounts(Fields fields, String... known) {
        var amounts = new LinkedHashMap<String, Double>();
        fields.object()
                .members()
                .forEach((name, value) -> {
                    if (value instanceof JsonNumber number && !List.of(known).contains(name)) {
                        amounts.put(name, Fields.decimal(number, fields.at(name)));
                    }
                });
        return amounts;
    }

    JsonObject toJson() {
        var json = JsonObject.builder();
        if (cpuCores != null) {
            json.put("cpu_cores", JsonNumbers.of(cpuCores));
        }
        if (ramGb != null) {
            json.put("ram_gb", JsonNumbers.of(ramGb));
        }
        more.forEach((name, amount) -> json.put(name, JsonNumbers.of(amount)));
        json.put("gpu_info", gpus.isEmpty() ? JsonNull.NULL : gpus.getFirst().toJson());
        if (gpus.size() > 1) {
            var devices = gpus.stream().map(gpu -> (JsonValue) gpu.toJson()).toList();
            json.put("devices", new JsonArray(devices));
        }
        return json.build();
    }
}
