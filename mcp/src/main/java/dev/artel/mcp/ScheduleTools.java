package dev.artel.mcp;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.mcp.AgentTool.Kind;
import java.util.List;

/// What agents do with schedules.
final class ScheduleTools {
    private static final String SCHEDULES = "/api/v1/schedules/";
    private static final String NAME =
            "\"name\":{\"type\":\"string\",\"description\":\"the name of the schedule\"}";
    private static final String ONE = "[\"name\"]";
    private static final int RUNS = 20;

    private ScheduleTools() {}

    static List<AgentTool> reading() {
        return List.of(
                new AgentTool(
                        "get_schedule",
                        "Shows a schedule, why nothing of it runs, its next ticks, and what its last runs became.",
                        Kind.READS,
                        NAME,
                        ONE,
                        (client, given) ->
                                client.api()
                                        .get(path(given, ""))
                                        .with(
                                                "runs",
                                                new JsonArray(
                                                        List.copyOf(
                                                                client.api()
                                                                        .list(
                                                                                path(
                                                                                        given,
                                                                                        "/runs"),
                                                                                RUNS))))));
    }

    static List<AgentTool> steering() {
        return List.of(
                new AgentTool(
                        "create_schedule",
                        "Writes a schedule down, also in place of the one that has the name. The same again changes nothing.",
                        Kind.ENDS,
                        NAME
                                + ",\"blueprint\":{\"type\":\"string\",\"description\":\"the definition of its jobs\"}"
                                + ",\"timing\":{\"type\":\"object\",\"description\":\"one of cron with zone, every_seconds, and at with an instant\"}"
                                + ",\"input\":{\"type\":\"object\",\"description\":\"the initial data of its jobs\"}"
                                + ",\"more\":{\"type\":\"object\",\"description\":\"overlap, catch_up, jitter_seconds, priority, labels, starts_at, ends_at and other members of the API\"}",
                        "[\"name\",\"blueprint\",\"timing\"]",
                        (client, given) ->
                                client.api()
                                        .put(
                                                path(given, ""),
                                                JsonObject.builder()
                                                        .putAll(given.object("more"))
                                                        .put("blueprint", given.text("blueprint"))
                                                        .put("timing", given.object("timing"))
                                                        .put("input", given.object("input"))
                                                        .build())),
                new AgentTool(
                        "pause_schedule",
                        "Lets nothing of a schedule run until it is resumed. Its jobs go on.",
                        Kind.STEERS,
                        NAME
                                + ",\"reason\":{\"type\":\"string\",\"description\":\"why, for people\"}",
                        ONE,
                        (client, given) ->
                                client.api()
                                        .post(
                                                path(given, "/pause"),
                                                given.optional("reason")
                                                        .map(reason ->
                                                                JsonObject.of(
                                                                        "reason",
                                                                        JsonValue.of(reason)))
                                                        .orElse(JsonObject.EMPTY))),
                new AgentTool(
                        "resume_schedule",
                        "Lets a paused schedule run again.",
                        Kind.STEERS,
                        NAME,
                        ONE,
                        (client, given) ->
                                client.api().post(path(given, "/resume"), JsonObject.EMPTY)),
                new AgentTool(
                        "run_schedule",
                        "Begins a job of a schedule at once, whatever else runs. The same key again gives the same run.",
                        Kind.STEERS,
                        NAME
                                + ",\"idempotency_key\":{\"type\":\"string\",\"description\":\"names this run, such as the reason for it\"}",
                        "[\"name\",\"idempotency_key\"]",
                        (client, given) ->
                                client.api()
                                        .post(
                                                path(given, "/run"),
                                                JsonObject.EMPTY,
                                                given.text("idempotency_key"))),
                new AgentTool(
                        "backfill_schedule",
                        "Runs the ticks of a schedule from one instant until another, one after the other. A tick whose job is there keeps it.",
                        Kind.STEERS,
                        NAME
                                + ",\"from\":{\"type\":\"string\",\"description\":\"such as 2026-01-01T00:00:00Z\"}"
                                + ",\"until\":{\"type\":\"string\",\"description\":\"the last instant, inclusive\"}",
                        "[\"name\",\"from\",\"until\"]",
                        (client, given) ->
                                client.api()
                                        .post(
                                                path(given, "/backfill"),
                                                JsonObject.of(
                                                        "from",
                                                        JsonValue.of(given.text("from")),
                                                        "until",
                                                        JsonValue.of(given.text("until"))))),
                new AgentTool(
                        "delete_schedule",
                        "Deletes a schedule and its history. Its jobs go on.",
                        Kind.ENDS,
                        NAME,
                        ONE,
                        (client, given) -> client.api().delete(path(given, ""))));
    }

    private static String path(ToolArguments given, String act) {
        return ToolArguments.path(SCHEDULES, given.text("name")) + act;
    }
}
