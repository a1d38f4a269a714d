package dev.artel.server.schedules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.blueprint.Blueprint;
import dev.artel.blueprint.BlueprintDefinition;
import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.JobSchedule;
import dev.artel.blueprint.Nothing;
import dev.artel.blueprint.ScheduledJob;
import dev.artel.blueprint.StateHandler;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Schedules that authors write beside their blueprints.
final class ScheduleCodeTest {
    record Night(String date) {}

    private static final BlueprintType<Night, Nothing> NIGHT =
            BlueprintType.of("night", Night.class);
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    @TempDir private Path folder;

    @BlueprintDefinition(name = "marked")
    @ScheduledJob(name = "hourly", cron = "0 * * * *", zone = "Asia/Tokyo")
    @ScheduledJob(name = "friday", cron = "0 18 * * FRI", overlap = JobSchedule.Overlap.CANCEL_OLD)
    static final class Marked {
        @StateHandler(value = "begin", start = true)
        Night begin() {
            return new Night("any");
        }
    }

    private static Blueprint night() {
        return Blueprint.function(
                        NIGHT,
                        (run, night) -> {
                            return Nothing.NOTHING;
                        })
                .schedule(
                        "nightly",
                        JobSchedule.everyDay(LocalTime.of(2, 30), BERLIN)
                                .withInput(new Night("${tick.date}"))
                                .withOverlap(JobSchedule.Overlap.QUEUE)
                                .withCatchUp(JobSchedule.CatchUp.ALL)
                                .withJitter(Duration.ofSeconds(30)))
                .schedule(
                        "often",
                        JobSchedule.every(Duration.ofMinutes(10)).withInput(new Night("x")))
                .schedule(
                        "mondays",
                        JobSchedule.weekly(
                                List.of(DayOfWeek.MONDAY, DayOfWeek.SUNDAY),
                                LocalTime.of(7, 0),
                                BERLIN))
                .schedule(
                        "months", JobSchedule.monthly(List.of(1, 15), LocalTime.of(7, 0), BERLIN));
    }

    private ArtelNode start(Blueprints blueprints) {
        return ArtelNode.start(TestNodes.CONFIG.withData(folder), blueprints);
    }

    private static String cron(TestClient client, String name) {
        return client.get("/api/v1/schedules/" + name)
                .object()
                .object("timing")
                .flatMap(timing -> timing.string("cron"))
                .orElseThrow();
    }

    @Test
    void schedulesOfBlueprints_areInForce_alsoAfterARestart() {
        try (var node = start(Blueprints.of(night(), Blueprint.annotated(Marked.class)))) {
            var client = TestClient.of(node);
            assertThat(client.get("/api/v1/schedules").items().size()).isEqualTo(6);
            assertThat(cron(client, "nightly")).isEqualTo("0 30 2 * * *");
            assertThat(cron(client, "mondays")).isEqualTo("0 0 7 * * 1,7");
            assertThat(cron(client, "months")).isEqualTo("0 0 7 1,15 * *");
            var nightly = client.get("/api/v1/schedules/nightly").object();
            assertThat(nightly.get("overlap")).contains(new JsonString("queue"));
            assertThat(nightly.string("origin")).contains("code");
            assertThat(nightly.object("input"))
                    .contains(JsonObject.of("date", JsonValue.of("${tick.date}")));
            assertThat(client.get("/api/v1/schedules/friday").object().get("overlap"))
                    .contains(new JsonString("cancel_old"));

            client.post("/api/v1/schedules/nightly/pause", "{\"reason\":\"a repair\"}");
            var refused =
                    client.send(
                            "PUT",
                            "/api/v1/schedules/nightly",
                            "{\"blueprint\":\"night\",\"timing\":{\"every_seconds\":9}}");
            assertThat(refused.text()).contains("schedule_configured");
        }
        try (var node = start(Blueprints.of())) {
            var client = TestClient.of(node);
            assertThat(
                            client.get("/api/v1/schedules/often")
                                    .object()
                                    .string("explanation")
                                    .orElseThrow())
                    .contains("there is no blueprint 'night'");
            assertThat(client.method("DELETE", "/api/v1/schedules/often").status()).isEqualTo(200);
        }
        try (var node = start(Blueprints.of(night()))) {
            var client = TestClient.of(node);
            assertThat(client.get("/api/v1/schedules/nightly").object().has("paused")).isTrue();
            assertThat(client.get("/api/v1/schedules/often").status()).isEqualTo(200);
        }
    }

    @Test
    void aScheduleThatCannotBe_isReported_andTheOrchestratorRuns() {
        var bad =
                night().schedule(
                                "odd",
                                JobSchedule.everyDay(LocalTime.of(2, 30), BERLIN)
                                        .withJitter(Duration.ofDays(1)));
        try (var node = start(Blueprints.of(bad))) {
            var client = TestClient.of(node);
            assertThat(client.get("/api/v1/schedules").items().size()).isEqualTo(4);
            assertThat(client.get("/readyz").text())
                    .contains("schedule 'odd' of blueprint 'night'")
                    .contains("jitter_seconds must be from 0 to 3600");
        }
    }
}
