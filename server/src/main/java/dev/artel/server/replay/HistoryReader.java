package dev.artel.server.replay;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Reads whole histories, with all values in them: from an orchestrator over its API, or from a file in which one was saved. Not safe for
/// use by many threads.
final class HistoryReader {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /// How long a page or a large value may take, all of it: the timeout of a request ends with the head of its answer.
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private static final long LARGEST = 256L << 20;

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
    private final URI orchestrator;
    private final String token;
    private final Duration longest;
    private final Map<String, JsonValue> values = new HashMap<>();

    /// @param orchestrator its address, such as `http://127.0.0.1:8080`
    /// @param token of a client that may see the job
    HistoryReader(URI orchestrator, String token) {
        this(orchestrator, token, LONGEST);
    }

    /// @param longest for a page or a large value
    HistoryReader(URI orchestrator, String token, Duration longest) {
        this.orchestrator = orchestrator;
        this.token = token;
        this.longest = longest;
    }

    /// What `file` has.
    static JsonObject of(Path file) {
        try {
            if (JsonText.read(Files.readAllBytes(file)) instanceof JsonObject history) {
                return history;
            }
            throw new ReplayFailed(
                    file
                            + " is to be replayed and is no JSON object; save a history with ./artel replay"
                            + " JOB --save FILE");
        } catch (MalformedJson | IOException unreadable) {
            throw new ReplayFailed(
                    "cannot read the history in " + file + ": " + unreadable.getMessage(),
                    unreadable);
        }
    }

    /// The history of `job`: `job_id` and `items`, the events, oldest first.
    JsonObject of(String job) {
        var events = new ArrayList<JsonValue>();
        var path = "/api/v1/jobs/" + encoded(job) + "/history";
        var cursor = Optional.<String>empty();
        do {
            var page =
                    get(path + cursor.map(behind -> "?cursor=" + encoded(behind)).orElse(""), job);
            if (!(page instanceof JsonObject object)) {
                throw new ReplayFailed("the history of job " + job + " is no object: " + page);
            }
            object.array("items").map(JsonArray::values).orElseThrow().stream()
                    .map(event -> whole(event, job))
                    .forEach(events::add);
            cursor = object.string("next_cursor");
        } while (cursor.isPresent());
        return JsonObject.builder().put("job_id", job).put("items", new JsonArray(events)).build();
    }

    /// `value` with those in it that the API gives by their address.
    private JsonValue whole(JsonValue value, String job) {
        return switch (value) {
            case JsonObject object -> {
                var large = object.object("large_value").flatMap(it -> it.string("href"));
                if (large.isPresent()) {
                    var known = values.get(large.get());
                    if (known == null) {
                        known = get(large.get(), job);
                        values.put(large.get(), known);
                    }
                    yield known;
                }
                var members = JsonObject.builder();
                object.members().forEach((name, member) -> members.put(name, whole(member, job)));
                yield members.build();
            }
            case JsonArray array ->
                    new JsonArray(array.values().stream().map(item -> whole(item, job)).toList());
            default -> value;
        };
    }

    private JsonValue get(String path, String job) {
        var address = orchestrator.resolve(path);
        var attempted = "cannot read the history of job " + job + " from " + address + ": ";
        try {
            var request =
                    HttpRequest.newBuilder(address)
                            .header("Authorization", "Bearer " + token)
                            .timeout(TIMEOUT)
                            .build();
            var response = whole(request);
            if (response.statusCode() != 200) {
                throw new ReplayFailed(
                        attempted
                                + "status "
                                + response.statusCode()
                                + ", "
                                + new String(response.body(), StandardCharsets.UTF_8));
            }
            return JsonText.read(response.body());
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new ReplayFailed(attempted + "it was interrupted", stop);
        } catch (TimeoutException late) {
            throw new ReplayFailed(
                    attempted + "there was no whole answer within " + longest.toSeconds() + " s",
                    late);
        } catch (MalformedJson | ExecutionException failed) {
            throw new ReplayFailed(
                    attempted
                            + (failed instanceof ExecutionException ? failed.getCause() : failed)
                            + "; is the orchestrator running there? --url sets where it is",
                    failed);
        }
    }

    private HttpResponse<byte[]> whole(HttpRequest request)
            throws ExecutionException, InterruptedException, TimeoutException {
        var answer =
                http.sendAsync(
                        request,
                        HttpResponse.BodyHandlers.limiting(
                                HttpResponse.BodyHandlers.ofByteArray(), LARGEST));
        try {
            return answer.get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } finally {
            answer.cancel(true);
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
