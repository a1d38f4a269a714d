package dev.artel.server.api.blueprints;

import dev.artel.access.Caller;
import dev.artel.access.Role;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.State;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.figures.LatencyWindows.Percentiles;
import dev.artel.server.api.figures.StateFigures;
import dev.artel.server.api.http.Answers;
import dev.artel.server.api.http.ApiJson;
import dev.artel.server.api.http.Page;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.Optional;

/// What the definitions are like.
public final class BlueprintRoutes {
    private final Lifecycle lifecycle;
    private final StateFigures figures;

    /// Routes for the definitions that the engine of `lifecycle` has.
    public BlueprintRoutes(Lifecycle lifecycle, StateFigures figures) {
        this.lifecycle = lifecycle;
        this.figures = figures;
    }

    /// Lists the newest version of each definition, by name.
    public void list(Context request, Caller caller) {
        var all = lifecycle.engine().blueprints();
        Page.ofAll(
                request,
                "blueprints",
                all.names().stream().flatMap(name -> all.find(name).stream()),
                Blueprint::name,
                blueprint ->
                        JsonObject.builder()
                                .put("name", blueprint.name())
                                .put("version", blueprint.version())
                                .put("states", blueprint.states().size())
                                .build());
    }

    /// What jobs of a definition must be submitted with, and what else it is. The newest version, or the one that is
    /// asked for.
    public void one(Context request, Caller caller) {
        var blueprint = asked(request, caller);
        var json =
                JsonObject.builder()
                        .put("name", blueprint.name())
                        .put("version", blueprint.version())
                        .put(
                                "versions",
                                JsonArray.ofStrings(
                                        lifecycle
                                                .engine()
                                                .blueprints()
                                                .versionsOf(blueprint.name())))
                        .put("states", blueprint.states().size())
                        .put("data_stores", JsonArray.ofStrings(blueprint.dataStores()));
        blueprint.initialData().ifPresent(type -> json.put("initial_data", type.schema()));
        blueprint.result().ifPresent(type -> json.put("result", type.schema()));
        Answers.json(request, 200, json.build());
    }

    /// DOT, or JSON for those who ask for it. The newest version, or the one that is asked for.
    public void graph(Context request, Caller caller) {
        var blueprint = asked(request, caller);
        switch (String.valueOf(request.queryParam("format"))) {
            case "json" -> Answers.json(request, 200, json(blueprint));
            case "dot" -> dot(request, blueprint);
            case "null" -> {
                var accepts = request.header("Accept");
                if (accepts != null && accepts.contains("application/json")) {
                    Answers.json(request, 200, json(blueprint));
                } else {
                    dot(request, blueprint);
                }
            }
            default ->
                    throw new HttpRefusal(
                            ErrorCode.INVALID_PARAMETER,
                            "Invalid format parameter",
                            "format is dot or json");
        }
    }

    /// What jobs did in each state since this process began. The newest version, or the one that is asked for.
    public void statistics(Context request, Caller caller) {
        if (caller.role() == Role.CLIENT) {
            throw new HttpRefusal(
                    ErrorCode.FORBIDDEN,
                    "Forbidden: the figures of all clients are for viewers and operators",
                    "GET /api/v1/jobs?blueprint= lists your own jobs");
        }
        var blueprint = asked(request, caller);
        var found = figures.of(blueprint);
        Answers.json(
                request,
                200,
                JsonObject.builder()
                        .put("name", blueprint.name())
                        .put("version", blueprint.version())
                        .put("since", ApiJson.of(found.since()))
                        .put(
                                "states",
                                new JsonArray(
                                        found.byState().stream()
                                                .<JsonValue>map(BlueprintRoutes::json)
                                                .toList()))
                        .build());
    }

    private static JsonObject json(StateFigures.StateCount state) {
        var json =
                JsonObject.builder()
                        .put("name", state.state())
                        .put("entered", state.entered())
                        .put("now", state.now())
                        .put("failures", state.failures())
                        .put("retries", state.retries())
                        .put("left", state.times().map(Percentiles::count).orElse(0L));
        state.times()
                .ifPresent(times ->
                        json.put(
                                "ms",
                                JsonObject.builder()
                                        .put("p50", times.p50())
                                        .put("p95", times.p95())
                                        .put("p99", times.p99())
                                        .build()));
        return json.build();
    }

    /// The definition that `request` names, in the version that it names, or else the newest. One that a job has brought along is for those who see the jobs of its
    /// client, in its exact version.
    private Blueprint asked(Context request, Caller caller) {
        var all = lifecycle.engine().blueprints();
        var name = request.pathParam("name");
        var version = Optional.ofNullable(request.queryParam("version"));
        return all.wanted(name, version)
                .or(() ->
                        version.flatMap(exact ->
                                caller.onlyClient()
                                        .map(client -> all.findPlanned(name, exact, client))
                                        .orElseGet(() -> all.findPlanned(name, exact))))
                .orElseThrow(() ->
                        new HttpRefusal(
                                ErrorCode.BLUEPRINT_NOT_FOUND,
                                "Blueprint not found",
                                all.missing(name, version)));
    }

    private static void dot(Context request, Blueprint blueprint) {
        request.contentType("text/vnd.graphviz; charset=utf-8").result(dot(blueprint));
    }

    private static String dot(Blueprint blueprint) {
        var text = new StringBuilder("digraph ").append(quoted(blueprint.name())).append(" {\n");
        text.append("  node [shape=box, style=rounded];\n");
        for (var state : blueprint.states()) {
            text.append("  ").append(quoted(state.name())).append(attributes(state)).append(";\n");
        }
        for (var state : blueprint.states()) {
            for (var next : state.next()) {
                text.append("  ")
                        .append(quoted(state.name()))
                        .append(" -> ")
                        .append(quoted(next))
                        .append(";\n");
            }
        }
        return text.append("}\n").toString();
    }

    private static String attributes(State state) {
        if (state.start()) {
            return " [penwidth=2]";
        }
        if (state.isEnd()) {
            return state.failed() ? " [peripheries=2, color=red]" : " [peripheries=2]";
        }
        return "";
    }

    private static String quoted(String name) {
        return '"' + name.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private static JsonObject json(Blueprint blueprint) {
        var states = new ArrayList<JsonValue>();
        for (var state : blueprint.states()) {
            states.add(
                    JsonObject.builder()
                            .put("name", state.name())
                            .put("start", state.start())
                            .put("end", state.isEnd())
                            .put("failed", state.failed())
                            .put("next", JsonArray.ofStrings(state.next()))
                            .build());
        }
        return JsonObject.builder()
                .put("name", blueprint.name())
                .put("version", blueprint.version())
                .put("states", new JsonArray(states))
                .build();
    }
}
