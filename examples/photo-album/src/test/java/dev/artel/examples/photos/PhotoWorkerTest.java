package dev.artel.examples.photos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.worker.Worker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PhotoWorkerTest {
    @TempDir private Path folder;

    private OneWorkerOrchestrator orchestrator;
    private Worker worker;

    @BeforeEach
    void start() throws IOException {
        for (var name : List.of("march-cat.jpg", "picos-de-europa.jpg")) {
            Files.copy(Path.of("photos", name), folder.resolve(name));
        }
        orchestrator = new OneWorkerOrchestrator();
        var arguments =
                List.of(
                        "--orchestrator",
                        orchestrator.uri().toString(),
                        "--name",
                        "photo-1",
                        "--root",
                        folder.toString());
        worker =
                PhotoWorker.worker(
                        WorkerOptions.of(arguments, Map.of("ARTEL_WORKER_TOKEN", "secret")));
        worker.start();
    }

    @AfterEach
    void end() {
        worker.close();
        orchestrator.close();
    }

    @Test
    void theAnswersOfResizeAndDescribe_areWhatTheContactSheetTakes() throws Exception {
        var photos = JsonArray.of(photo("march-cat.jpg"), photo("picos-de-europa.jpg"));
        var order =
                JsonObject.builder()
                        .put("title", "Two photographs")
                        .put("folder", "out")
                        .put("facts", JsonArray.of(fact("Job", "job-1")))
                        .put("photos", photos)
                        .build();

        var made = data(orchestrator.does("contact_sheet", order));

        assertThat(made.number("photos").orElseThrow().asLong()).isEqualTo(2);
        assertThat(folder.resolve("out/contact-sheet.png")).isNotEmptyFile();
        assertThat(Files.readString(folder.resolve("out/index.html")))
                .contains(
                        "<h2>Picos de europa</h2>",
                        "NIKON D80",
                        "13 March 2010",
                        "Alvesgaspar, CC BY-SA 3.0")
                .contains("src=\"./thumbnails/march-cat.jpg\"", "href=\"./../march-cat.jpg\"")
                .contains(
                        "photo-1</span> attempt 1",
                        "resized 2, described 2",
                        "<dt>Job</dt><dd>job-1</dd>");
    }

    @Test
    void aText_isInvalidInput() throws Exception {
        Files.writeString(folder.resolve("notes.txt"), "Hello");

        var result =
                orchestrator.does(
                        "describe_image", JsonObject.of("source", JsonValue.of("notes.txt")));

        var error = result.object("error").orElseThrow();
        assertThat(error.string("code")).contains("INVALID_INPUT_ERROR");
        assertThat(error.string("message").orElseThrow())
                .contains("cannot read notes.txt as a picture");
    }

    @Test
    void aMissingFile_isATransientFailure_forAnotherWorkerMayHaveIt() throws Exception {
        var result =
                orchestrator.does(
                        "describe_image", JsonObject.of("source", JsonValue.of("gone.jpg")));

        assertThat(result.object("error").orElseThrow().string("code")).contains("TRANSIENT_ERROR");
    }

    @Test
    void aFileOutsideOfTheRoot_isNotTouched() throws Exception {
        var params =
                JsonObject.of(
                        "source",
                        JsonValue.of("march-cat.jpg"),
                        "target",
                        JsonValue.of("../out.jpg"));

        var result = orchestrator.does("resize_image", params);

        var error = result.object("error").orElseThrow();
        assertThat(error.string("code")).contains("INVALID_INPUT_ERROR");
        assertThat(error.string("message").orElseThrow()).contains("../out.jpg is outside of");
    }

    private JsonValue photo(String name) throws InterruptedException {
        var source = JsonObject.of("source", JsonValue.of(name));
        var resize = source.with("target", JsonValue.of("out/thumbnails/" + name));
        return JsonObject.of(
                "resized", data(orchestrator.does("resize_image", resize)),
                "described", data(orchestrator.does("describe_image", source)));
    }

    private static JsonObject fact(String label, String value) {
        return JsonObject.of("label", JsonValue.of(label), "value", JsonValue.of(value));
    }

    private static JsonObject data(JsonObject result) {
        assertThat(result.string("status")).as("%s", result).contains("success");
        return result.object("data").orElseThrow();
    }
}
