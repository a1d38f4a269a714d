package dev.artel.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.gateway.http.ErrorCode;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.text.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class ErrorCodesTest {
    private static final Path DOCUMENT = Path.of("../docs/errors.md");

    @Test
    void theDocument_hasEveryCode_andNoOther() throws IOException {
        var rows = Files.readAllLines(DOCUMENT).stream().filter(line -> line.startsWith("| `"));

        assertThat(rows)
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(ErrorCode.values())
                                .map(code ->
                                        "| `%s` | %d | %s |"
                                                .formatted(
                                                        code.text(), code.status(), code.meaning()))
                                .toList());
    }

    @Test
    void theDescriptionOfTheApi_hasEveryCode_andNoOther() throws IOException {
        JsonObject described;
        try (var in = getClass().getResourceAsStream("openapi.json")) {
            described = (JsonObject) JsonText.read(Objects.requireNonNull(in).readAllBytes());
        }

        var codes =
                described
                        .object("components")
                        .flatMap(its -> its.object("schemas"))
                        .flatMap(its -> its.object("ErrorCode"))
                        .flatMap(its -> its.array("enum"))
                        .orElseThrow();

        assertThat(codes.values())
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(ErrorCode.values())
                                .map(code -> new JsonString(code.text()))
                                .toList());
    }
}
