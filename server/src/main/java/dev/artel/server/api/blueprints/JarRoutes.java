package dev.artel.server.api.blueprints;

import dev.artel.access.Caller;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.store.EventStore;
import dev.artel.server.api.access.ApiAuthenticator;
import dev.artel.server.api.access.DefinitionsInUse;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.http.Answers;
import dev.artel.server.api.http.ApiJson;
import dev.artel.server.api.http.Page;
import dev.artel.server.jars.UploadedJars;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// The jars with blueprints, for operators: a jar is code that runs in the process of the orchestrator.
public final class JarRoutes {
    private static final String TYPE = "application/java-archive";

    private final Lifecycle lifecycle;
    private final DefinitionsInUse inUse;
    private final boolean isEnabled;
    private final Supplier<Optional<UploadedJars>> jars;

    /// Routes for the jars of one orchestrator.
    ///
    /// @param isEnabled whether jars may be put and deleted
    /// @param jars empty: there is no folder of jars; asked for when the orchestrator is ready
    public JarRoutes(
            Lifecycle lifecycle,
            EventStore store,
            boolean isEnabled,
            Supplier<Optional<UploadedJars>> jars) {
        this.lifecycle = lifecycle;
        inUse = new DefinitionsInUse(lifecycle, store);
        this.isEnabled = isEnabled;
        this.jars = jars;
    }

    /// Lists the jars.
    public void list(Context request, Caller caller) {
        var _ = lifecycle.engine();
        try {
            var all = jars.get().isEmpty() ? List.<UploadedJars.Line>of() : jars.get().get().list();
            Page.ofAll(request, "jars", all.stream(), UploadedJars.Line::name, JarRoutes::shown);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("reading the folder of blueprints", unreadable);
        }
    }

    /// Takes up the jar in the body under the name in the path.
    public void put(Context request, Caller caller) {
        var folder = folder();
        var type = String.valueOf(request.contentType()).replaceFirst(";.*", "").strip();
        if (!type.equals(TYPE)) {
            throw new HttpRefusal(
                    ErrorCode.INVALID_BODY,
                    "Invalid content type",
                    "a jar is sent as " + TYPE + ", was '" + type + "'");
        }
        try {
            answer(request, folder.put(request.pathParam("name"), request.req().getInputStream()));
        } catch (IOException broken) {
            throw new UncheckedIOException("taking up a jar", broken);
        }
    }

    /// Deletes a jar that no open job needs.
    public void delete(Context request, Caller caller) {
        var folder = folder();
        try {
            answer(request, folder.delete(request.pathParam("name"), inUse::any));
        } catch (IOException broken) {
            throw new UncheckedIOException("deleting a jar", broken);
        }
    }

    private UploadedJars folder() {
        var _ = lifecycle.engine();
        if (!isEnabled) {
            throw new HttpRefusal(
                    ErrorCode.UPLOADS_DISABLED,
                    "Uploads are disabled",
                    "blueprints.upload is false; a jar has full power over the orchestrator, so an"
                            + " upload must be allowed in its settings");
        }
        return jars.get()
                .orElseThrow(() ->
                        new HttpRefusal(
                                ErrorCode.UPLOADS_DISABLED,
                                "Uploads are disabled",
                                "this orchestrator has no folder of jars"));
    }

    private static void answer(Context request, UploadedJars.Reply reply) {
        switch (reply) {
            case UploadedJars.Stored(var jar) -> {
                request.attribute(ApiAuthenticator.DETAIL, "took up " + jar.blueprints());
                Answers.json(request, 201, shown(jar));
            }
            case UploadedJars.Known(var jar) -> {
                ApiAuthenticator.changesNothing(request);
                Answers.json(request, 200, shown(jar));
            }
            case UploadedJars.Deleted(var jar) ->
                    Answers.json(
                            request,
                            200,
                            JsonObject.builder()
                                    .put("status", "deleted")
                                    .put("needs_restart", !jar.blueprints().isEmpty())
                                    .build());
            case UploadedJars.Missing _ ->
                    throw new HttpRefusal(ErrorCode.JAR_NOT_FOUND, "Jar not found");
            case UploadedJars.Refused(var why, var detail, var problems) ->
                    throw switch (why) {
                        case NAME ->
                                new HttpRefusal(
                                        ErrorCode.INVALID_PARAMETER, "Invalid name", detail);
                        case TOO_LARGE ->
                                new HttpRefusal(ErrorCode.BODY_TOO_LARGE, "Body too large", detail);
                        case UNUSABLE ->
                                new HttpRefusal(ErrorCode.INVALID_JAR, "Invalid jar", detail)
                                        .withProblems(problems);
                        case TAKEN -> new HttpRefusal(ErrorCode.JAR_TAKEN, "Already there", detail);
                        case NEEDED ->
                                new HttpRefusal(ErrorCode.JAR_IN_USE, "Jar is in use", detail);
                    };
        }
    }

    private static JsonObject shown(UploadedJars.Line jar) {
        return JsonObject.builder()
                .put("name", jar.name())
                .put("bytes", jar.bytes())
                .put("changed_at", ApiJson.of(jar.changed()))
                .put(
                        "blueprints",
                        new JsonArray(
                                jar.blueprints().stream()
                                        .<JsonValue>map(each ->
                                                JsonObject.of(
                                                        "name",
                                                        JsonValue.of(each.name()),
                                                        "version",
                                                        JsonValue.of(each.version())))
                                        .toList()))
                .build();
    }
}
