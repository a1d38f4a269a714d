package dev.artel.actions;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import dev.artel.worker.InvalidInput;
import java.io.IOException;

/// `file_storage`: writes, reads, lists and deletes files. Without `operation` it writes if there is `content`, and reads otherwise.
final class FileStorageAction implements BuiltInAction {
    private static final int MOST_NAMES = 1_000;

    private final FileStore files;

    FileStorageAction(FileStore files) {
        this.files = files;
    }

    @Override
    public JsonObject run(JsonObject input, ReadRoom.Reading reading) throws IOException {
        var params =
                new ActionParams("file_storage", input)
                        .knowing("operation", "path", "content", "overwrite", "prefix", "limit");
        var operation =
                params.word(
                        "operation",
                        params.value("content").isPresent() ? "write" : "read",
                        "write",
                        "read",
                        "list",
                        "delete",
                        "exists");
        return switch (operation) {
            case "write" -> write(params);
            case "list" -> list(params);
            case "delete" -> about(params, "deleted", files.delete(path(params)));
            case "exists" -> about(params, "exists", files.exists(path(params)));
            default -> read(params, reading);
        };
    }

    private static String path(ActionParams params) {
        return params.requiredText("path");
    }

    private static JsonObject about(ActionParams params, String name, boolean value) {
        return JsonObject.builder().put("path", path(params)).put(name, value).build();
    }

    private JsonObject write(ActionParams params) throws IOException {
        return json(
                files.write(
                        path(params),
                        bytes(params.required("content")),
                        params.flag("overwrite", true)));
    }

    /// A text as it is, anything else as JSON.
    static byte[] bytes(JsonValue content) {
        return content instanceof JsonString(var text)
                ? text.getBytes(UTF_8)
                : JsonText.write(content);
    }

    static JsonObject json(FileStore.StoredFile file) {
        return JsonObject.builder()
                .put("path", file.path())
                .put("bytes", file.bytes())
                .put("sha256", file.sha256())
                .build();
    }

    private JsonObject read(ActionParams params, ReadRoom.Reading reading) throws IOException {
        var path = path(params);
        var bytes = files.read(path);
        reading.await(bytes);
        return JsonObject.builder()
                .put("path", path)
                .put("bytes", (long) bytes.length)
                .put("content", content(path, bytes))
                .build();
    }

    private static JsonValue content(String path, byte[] bytes) {
        if (!path.endsWith(".json")) {
            return new JsonString(new String(bytes, UTF_8));
        }
        try {
            return JsonText.read(bytes);
        } catch (MalformedJson malformed) {
            throw new InvalidInput(
                    "the file '" + path + "' has no JSON: " + malformed.getMessage(), malformed);
        }
    }

    private JsonObject list(ActionParams params) throws IOException {
        var most = (int) params.number("limit", 1, MOST_NAMES, MOST_NAMES);
        var found = files.list(params.text("prefix").orElse(""), most);
        return JsonObject.builder()
                .put("paths", JsonArray.ofStrings(found.names()))
                .put("more", found.hasMore())
                .build();
    }
}
