package dev.artel.protocol;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a worker's machine offers.
///
/// @param cpuCores null if the worker did not say
/// @param ramGb null if the worker did not say
/// @param gpus the graphics processors, the best first
public record Resources(@Nullable Double cpuCores, @Nullable Double ramGb, List<Gpu> gpus) {
    /// Resources of which nothing is known.
    public static final Resources UNKNOWN = new Resources(null, null, List.of());

    /// Copies `gpus`.
    public Resources {
        gpus = List.copyOf(gpus);
    }

    /// A graphics processor.
    public record Gpu(String model, double vramGb) {
        static Optional<Gpu> read(JsonValue value, String path) {
            var fields = Fields.of(value, path);
            var model = fields.findString("model");
            var properties = fields.findObject("properties");
            var vram = fields.findDecimal("vram_gb");
            if (vram == null && properties != null) {
                vram = properties.findDecimal("vram_gb");
            }
            if (model == null && vram == null) {
                return Optional.empty();
            }
            return Optional.of(new Gpu(model == null ? "" : model, vram == null ? 0 : vram));
        }

        JsonObject toJson() {
            return JsonObject.builder()
                    .put("model", model)
                    .put("vram_gb", Numbers.of(vramGb))
                    .build();
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
                gpus.stream().flatMap(Optional::stream).toList());
    }

    JsonObject toJson() {
        var json = JsonObject.builder();
        if (cpuCores != null) {
            json.put("cpu_cores", Numbers.of(cpuCores));
        }
        if (ramGb != null) {
            json.put("ram_gb", Numbers.of(ramGb));
        }
        json.put("gpu_info", gpus.isEmpty() ? JsonNull.NULL : gpus.getFirst().toJson());
        if (gpus.size() > 1) {
            var devices = gpus.stream().map(gpu -> (JsonValue) gpu.toJson()).toList();
            json.put("devices", new JsonArray(devices));
        }
        return json.build();
    }
}
