package dev.artel.server.wiring;

import dev.artel.access.AccessControl;
import dev.artel.access.Caller;
import dev.artel.config.ServerConfig;
import dev.artel.config.SettingLine;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.task.SharedLimit;
import dev.artel.server.api.http.ApiJson;
import dev.artel.server.reload.SettingsInForce;
import dev.artel.store.files.UsableSpace;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// The orchestrator itself, for those who operate it: what runs, with which settings, and who may use it. No secrets. Safe for
/// use by many threads.
final class SystemView {
    private static final String BUILD = "/META-INF/maven/dev.artel/artel-server/pom.properties";

    private final ServerConfig config;
    private final Parts parts;
    private final Instant started;
    private final InstantSource clock;

    /// What is shown.
    ///
    /// @param folder of the stores; empty: they are the caller's
    /// @param logBytes how much is committed and not in its final place
    /// @param limits those that tasks share
    /// @param listeners where it is reached, by wire
    record Parts(
            SettingsInForce settings,
            AccessControl accessControl,
            Optional<Path> folder,
            Supplier<Long> logBytes,
            Supplier<List<SharedLimit>> limits,
            Supplier<List<Listener>> listeners) {}

    /// Where it is reached over a wire.
    record Listener(String wire, String address) {}

    SystemView(ServerConfig config, Parts parts, InstantSource clock) {
        this.config = config;
        this.parts = parts;
        this.clock = clock;
        this.started = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    JsonObject document() {
        return JsonObject.builder()
                .put("version", version())
                .put(
                        "java_version",
                        System.getProperty("java.version")
                                + " "
                                + System.getProperty("java.vendor"))
                .put("started_at", ApiJson.of(started))
                .put("uptime_seconds", Duration.between(started, clock.instant()).toSeconds())
                .put("store", store())
                .put("settings", array(parts.settings().lines().stream().map(SystemView::of)))
                .put("limits", limits())
                .put("shared_limits", array(parts.limits().get().stream().map(SystemView::of)))
                .put("clients", array(parts.accessControl().callers().stream().map(this::of)))
                .put(
                        "listeners",
                        array(
                                parts.listeners().get().stream()
                                        .map(its ->
                                                JsonObject.builder()
                                                        .put("wire", its.wire())
                                                        .put("address", its.address())
                                                        .build())))
                .build();
    }

    private static JsonArray array(Stream<? extends JsonValue> values) {
        return new JsonArray(new ArrayList<>(values.toList()));
    }

    /// That of the jar; classes that stand in a folder have none.
    private static String version() {
        try (InputStream in = SystemView.class.getResourceAsStream(BUILD)) {
            if (in == null) {
                return "development";
            }
            var properties = new Properties();
            properties.load(in);
            return properties.getProperty("version", "development");
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + BUILD + " of this program", e);
        }
    }

    private JsonObject store() {
        var json = JsonObject.builder();
        var folder = parts.folder();
        if (folder.isEmpty()) {
            return json.put("kind", "embedded").build();
        }
        json.put("kind", "sqlite")
                .put("folder", folder.get().toString())
                .put("log_bytes", parts.logBytes().get())
                .put("large_values", config.payloads().s3().isPresent() ? "bucket" : "folder");
        try {
            var database = folder.get().resolve(DataFolder.DATABASE);
            if (Files.exists(database)) {
                json.put("database_bytes", Files.size(database));
            }
            json.put("free_bytes", UsableSpace.of(folder.get()));
        } catch (IOException e) {
            throw new UncheckedIOException("looking at the data folder " + folder.get(), e);
        }
        return json.build();
    }

    private static JsonObject of(SettingLine line) {
        var json = JsonObject.builder().put("name", line.name()).put("meaning", line.meaning());
        line.source().ifPresent(source -> json.put("source", source));
        line.value().ifPresent(value -> json.put("value", value));
        return json.build();
    }

    private JsonObject limits() {
        var http = config.http();
        return JsonObject.builder()
                .put("http.max-connections", http.maxConnections())
                .put("http.max-body-bytes", http.maxBodyBytes())
                .put("http.max-header-bytes", http.maxHeaderBytes())
                .put("http.max-streams", http.shared().streams())
                .put("http.max-waits", http.shared().waits())
                .put("gateway.max-sockets", config.gateway().maxSockets())
                .build();
    }

    private static JsonObject of(SharedLimit limit) {
        var json = JsonObject.builder().put("key", limit.key());
        limit.concurrent().ifPresent(most -> json.put("concurrent", most));
        limit.rate().ifPresent(rate -> json.put("rate", rate.toString()));
        return json.build();
    }

    private JsonObject of(Caller caller) {
        var json =
                JsonObject.builder()
                        .put("name", caller.name())
                        .put("role", caller.role().toString())
                        .put("plan", caller.plan());
        if (!caller.groups().isEmpty()) {
            json.put("groups", ApiJson.texts(caller.groups()));
        }
        parts.accessControl()
                .maxOpenJobs(caller)
                .ifPresent(most -> json.put("max_open_jobs", most));
        if (Double.isFinite(caller.maxPriority())) {
            json.put("max_priority", JsonNumber.of(caller.maxPriority()));
        }
        return json.build();
    }
}
