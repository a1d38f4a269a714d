package dev.artel.server.schedules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.samples.SampleBlueprints;
import dev.artel.server.wiring.StartupException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The file of schedules, at a start and at a reload.
final class ScheduleFileTest {
    @TempDir private Path folder;
    private @Nullable ArtelNode node;

    @AfterEach
    void stop() {
        if (node != null) {
            node.close();
        }
    }

    private TestClient start(String file) throws IOException {
        stop();
        Files.writeString(folder.resolve("schedules.toml"), file);
        node = ArtelNode.start(TestNodes.CONFIG.withData(folder), SampleBlueprints.all());
        return TestClient.of(node);
    }

    private static JsonObject schedule(TestClient client, String name) {
        return client.get("/api/v1/schedules/" + name).object();
    }

    private static JsonValue timing(TestClient client, String name, String key) {
        return schedule(client, name).object("timing").orElseThrow().get(key).orElseThrow();
    }

    @Test
    void tablesOfEarlierFiles_mean_whatTheyMeant() throws IOException {
        var client =
                start(
                        """
                        [poll]
                        blueprint = "echo"
                        input_data = { source = "crm" }
                        interval_seconds = 300

                        [report]
                        blueprint = "echo"
                        daily_at = "02:30"
                        dispatch_timeout = 60
                        result_timeout = 3600

                        [weekly]
                        blueprint = "echo"
                        weekly_days = ["mon", "FRI"]
                        time = "18:00"

                        [monthly]
                        blueprint = "echo"
                        monthly_dates = [1, 31]
                        time = "06:15:30"
                        """);

        assertThat(timing(client, "poll", "every_seconds")).isEqualTo(JsonValue.of(300));
        assertThat(schedule(client, "poll").object("input"))
                .contains(JsonObject.of("source", JsonValue.of("crm")));
        assertThat(timing(client, "report", "cron")).isEqualTo(new JsonString("0 30 2 * * *"));
        assertThat(timing(client, "report", "zone"))
                .isEqualTo(new JsonString(ZoneId.systemDefault().getId()));
        assertThat(schedule(client, "report").get("start_within_seconds"))
                .contains(JsonValue.of(60));
        assertThat(schedule(client, "report").get("deadline_seconds")).contains(JsonValue.of(3600));
        assertThat(timing(client, "weekly", "cron"))
                .isEqualTo(new JsonString("0 0 18 * * mon,fri"));
        assertThat(timing(client, "monthly", "cron")).isEqualTo(new JsonString("30 15 6 1,31 * *"));
        assertThat(schedule(client, "poll").string("origin")).contains("file");
    }

    @Test
    void aReload_changesAddsAndDeletes_andAFileWithAProblem_changesNothing() throws IOException {
        var client =
                start(
                        "[a]\nblueprint = \"echo\"\nevery_seconds = 600\n[b]\nblueprint = \"echo\"\ncron = \"0 5 * * *\"\n");
        client.post("/api/v1/schedules/a/pause", "{\"reason\":\"a repair\"}");

        Files.writeString(
                folder.resolve("schedules.toml"),
                "[a]\nblueprint = \"echo\"\nevery_seconds = 600\noverlap = \"queue\"\n[c]\nblueprint = \"echo\"\ncron = \"0 6 * * *\"\nzone = \"Asia/Tokyo\"\n");
        var reload = client.post("/api/v1/admin/reload", "");

        assertThat(reload.object().array("changed").orElseThrow().toString())
                .contains("schedules.toml");
        assertThat(schedule(client, "a").string("overlap")).contains("queue");
        assertThat(schedule(client, "a").has("paused")).isTrue();
        assertThat(client.get("/api/v1/schedules/b").status()).isEqualTo(404);
        assertThat(timing(client, "c", "zone")).isEqualTo(new JsonString("Asia/Tokyo"));

        Files.writeString(
                folder.resolve("schedules.toml"), "[a]\nblueprint = \"echo\"\nevery_secnds = 60\n");
        var refused = client.post("/api/v1/admin/reload", "");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text())
                .contains(
                        "schedules.toml:3: a: unknown field every_secnds; did you mean every_seconds?");
        assertThat(client.get("/api/v1/schedules").items().size()).isEqualTo(2);
    }

    @Test
    void aScheduleOfTheFile_changesThereAlone_andTheSameFileChangesNothing() throws IOException {
        var file = "[a]\nblueprint = \"echo\"\ninterval_seconds = 600\n";
        var client = start(file);
        var before = schedule(client, "a");
        for (var refused :
                new int[] {
                    client.send(
                                    "PUT",
                                    "/api/v1/schedules/a",
                                    "{\"blueprint\":\"echo\",\"timing\":{\"every_seconds\":9}}")
                            .status(),
                    client.method("DELETE", "/api/v1/schedules/a").status()
                }) {
            assertThat(refused).isEqualTo(409);
        }

        assertThat(schedule(start(file), "a").get("timing")).isEqualTo(before.get("timing"));
    }

    @Test
    void aFileThatIsMissing_deletesNothing_andAnEmptyOneDeletes() throws IOException {
        var client = start("[a]\nblueprint = \"echo\"\nevery_seconds = 600\n");
        client.post("/api/v1/schedules/a/pause", "");
        Files.delete(folder.resolve("schedules.toml"));

        var missing = client.post("/api/v1/admin/reload", "");

        assertThat(missing.status()).isEqualTo(409);
        assertThat(missing.text()).contains("its 1 schedules stay as they are");
        stop();
        node = ArtelNode.start(TestNodes.CONFIG.withData(folder), SampleBlueprints.all());
        client = TestClient.of(node);
        assertThat(schedule(client, "a").has("paused")).isTrue();
        assertThat(client.get("/readyz").text()).contains("an empty file deletes them");

        Files.writeString(folder.resolve("schedules.toml"), "");
        assertThat(client.post("/api/v1/admin/reload", "").status()).isEqualTo(200);
        assertThat(client.get("/api/v1/schedules/a").status()).isEqualTo(404);
        assertThat(client.get("/readyz").text()).doesNotContain("schedules.toml");
    }

    @Test
    void aNameThatIsTaken_andATimeThatIsPast_preventNoStart() throws IOException {
        var client = start("");
        var of = "{\"blueprint\":\"echo\",\"timing\":{\"every_seconds\":600}}";
        assertThat(client.send("PUT", "/api/v1/schedules/b", of).status()).isEqualTo(201);

        client =
                start(
                        """
                        [a]
                        blueprint = "echo"
                        every_seconds = 60
                        [b]
                        blueprint = "echo"
                        every_seconds = 60
                        [c]
                        blueprint = "echo"
                        at = "2020-01-01T00:00:00Z"
                        """);

        assertThat(timing(client, "a", "every_seconds")).isEqualTo(JsonValue.of(60));
        assertThat(timing(client, "b", "every_seconds")).isEqualTo(JsonValue.of(600));
        assertThat(client.get("/readyz").text())
                .contains("schedules.toml:4: b: there is a schedule of this name, made by")
                .contains("schedules.toml: c: at must be in the future");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    blueprint = "echo"                                        | schedules.toml:1: a: the timing is missing
                    blueprint = "echo"\\ndaily_at = "25:00"                   | schedules.toml:3: a: daily_at must be a time of the day
                    blueprint = "echo"\\nweekly_days = ["mo"]\\ntime = "01:00" | weekly_days has 'mo'; did you mean mon?
                    blueprint = "echo"\\nweekly_days = ["mon"]                | time is missing
                    blueprint = "echo"\\nmonthly_dates = [32]\\ntime = "01:00" | monthly_dates has days from 1 to 31
                    blueprint = "echo"\\ndaily_at = "01:00"\\ncron = "@daily" | keep one of them
                    blueprint = "echo"\\ninterval_seconds = 5\\nevery_seconds = 5 | mean the same
                    blueprint = "echo"\\ncron = "0 25 * * *"                  | schedules.toml:3: a: cron at character 3, the hour '25'
                    """)
    void aFileThatCannotBeUsed_preventsTheStart(String table, String reason) {
        assertThatThrownBy(() -> start("[a]\n" + table.replace("\\n", "\n") + "\n"))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining(reason);
    }
}
