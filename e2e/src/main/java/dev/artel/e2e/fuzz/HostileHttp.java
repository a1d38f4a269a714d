package dev.artel.e2e.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Requests of workers: routes with hostile bodies, and heads and lengths that are none. Each whole request is answered, and no answer with an error is without its
/// code.
final class HostileHttp implements HostileLane {
    private static final List<String> HEADS =
            List.of(
                    "GET / HTTP/9.9\r\nHost: a\r\n\r\n",
                    "FROB /_worker/workers/register HTTP/1.1\r\nHost: a\r\n\r\n",
                    "POST /_worker/workers/register HTTP/1.1\r\n\r\n",
                    "POST /_worker/workers/register HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
                    "POST /_worker/workers/register HTTP/1.1\r\nHost: a\r\nContent-Length: many\r\n\r\n",
                    "POST /_worker/workers/register HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n",
                    "POST /_worker/tasks/result HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 7\r\n\r\n{}",
                    "POST /_worker/tasks/result HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
                    "POST /_worker/tasks/result HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
                    "GET /_worker/workers/%00/tasks/next HTTP/1.1\r\nHost: a\r\n\r\n",
                    "GET /_worker/workers/..%2f..%2fetc/tasks/next HTTP/1.1\r\nHost: a\r\n\r\n",
                    "GET /_worker/workers/%zz/tasks/next HTTP/1.1\r\nHost: a\r\n\r\n",
                    "GET /_worker/%ff%fe HTTP/1.1\r\nHost: a\r\n\r\n",
                    "GET /" + "a".repeat(20_000) + " HTTP/1.1\r\nHost: a\r\n\r\n",
                    "GET / HTTP/1.1\r\nHost: a\r\nX: " + "a".repeat(20_000) + "\r\n\r\n",
                    "GET / HTTP/1.1\r\nHost: a\r\n" + "X: y\r\n".repeat(3_000) + "\r\n",
                    "GET /_worker/ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
                    "GET /ws/worker HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 12\r\nSec-WebSocket-Key: x\r\n\r\n",
                    "GET / HTTP/1.1\r\nHost: a\r\n X: folded\r\n\r\n",
                    "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
                    "GET / HTTP/1.1\nHost: a\n\n",
                    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                    "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
                    "\r\n\r\n\r\n");

    private final HostileJson json;
    private final SplittableRandom random;
    private final int port;
    private final FuzzFindings findings;
    private final Tally tally;
    private @Nullable HttpExchange exchange;

    HostileHttp(int port, HostileJson json, FuzzFindings findings, Tally tally) {
        this.port = port;
        this.json = json;
        this.random = json.random();
        this.findings = findings;
        this.tally = tally;
    }

    /// A request line and the body behind it.
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Call(String method, String path, byte[] body) {
        @Override
        public String toString() {
            return method + " " + path + " " + new String(body, ISO_8859_1);
        }
    }

    @Override
    public int fire() throws IOException {
        var kind = random.nextInt(100);
        if (kind < 80) {
            whole(call());
        } else if (kind < 88) {
            broken(json.pick(HEADS).getBytes(ISO_8859_1));
        } else if (kind < 92) {
            var bytes = written(call(), json.token());
            var cut = new byte[random.nextInt(bytes.length)];
            System.arraycopy(bytes, 0, cut, 0, cut.length);
            broken(cut);
        } else if (kind < 95) {
            broken(json.drawn(random.nextInt(1, 400)));
        } else if (kind < 98) {
            var bytes = written(call(), json.token());
            for (var i = 0; i < 4; i++) {
                bytes[random.nextInt(Math.min(bytes.length, 200))] = (byte) random.nextInt();
            }
            broken(bytes);
        } else {
            abandoned(written(call(), json.token()));
        }
        return 1;
    }

    private Call call() {
        var id = json.id();
        var lease = json.lease();
        var worker = "/_worker/workers/" + HttpExchange.encoded(id);
        var task = worker + "/tasks/" + HttpExchange.encoded(lease.isEmpty() ? "none" : lease);
        return switch (random.nextInt(40)) {
            case 0, 1, 2, 3, 4, 5, 6, 7 ->
                    new Call("POST", "/_worker/workers/register", json.of(registration(id)));
            case 8, 9, 10, 11, 12, 13 -> new Call("PATCH", worker, json.of(heartbeat(lease)));
            case 14, 15, 16, 17, 18, 19 ->
                    new Call("POST", "/_worker/tasks/result", json.of(result(id, lease)));
            case 20, 21, 22 -> new Call("POST", "/_worker/tasks/results", json.of(results(id)));
            case 23, 24, 25 -> new Call("POST", worker + "/renew", json.of(renewal(lease)));
            case 26, 27 -> new Call("POST", task + "/logs", json.of(logs(lease)));
            case 28, 29 -> new Call("POST", "/_worker/tasks/release", json.of(release(id, lease)));
            case 30, 31 -> new Call("POST", "/_worker/events", json.of(event(id, lease)));
            case 32 -> new Call("POST", worker + "/drain", json.of(JsonObject.EMPTY));
            case 33 -> new Call("DELETE", worker, new byte[0]);
            case 34 -> new Call("PUT", "/_worker/values", json.drawn(random.nextInt(2_000)));
            case 35 ->
                    new Call(
                            "GET",
                            "/_worker/values/"
                                    + json.pick(
                                            List.of("0", "x".repeat(64), "%00", "0".repeat(64))),
                            new byte[0]);
            case 36 -> new Call("GET", worker + "/tasks/next?" + query(), new byte[0]);
            case 37 ->
                    new Call(
                            "POST",
                            task + "/question",
                            json.of(JsonObject.of("question", JsonValue.of(7))));
            case 38 ->
                    new Call(
                            json.pick(List.of("PUT", "DELETE", "OPTIONS", "PATCH")),
                            task,
                            json.of(result(id, lease)));
            default ->
                    new Call(
                            "POST",
                            "/_worker/"
                                    + json.pick(
                                            List.of(
                                                    "",
                                                    "tasks",
                                                    "workers",
                                                    "ws/x",
                                                    "%2e%2e/api/v1/jobs")),
                            json.of(result(id, lease)));
        };
    }

    private String query() {
        return json.pick(
                List.of(
                        "max=1",
                        "max=0",
                        "max=-1",
                        "max=many",
                        "max=99999999999",
                        "inline=x",
                        "timeout=1",
                        "timeout=-1",
                        "max=3&inline=10",
                        "what=ever",
                        "%00=%00",
                        "available_skills=,,,"));
    }

    private static JsonObject registration(String id) {
        return JsonObject.builder()
                .put("worker_id", id)
                .put("worker_type", "hostile")
                .put("supported_tasks", JsonArray.ofStrings(List.of("noop", "echo")))
                .put("max_concurrent_tasks", 4)
                .put("instance", "one")
                .put("lease_ms", 2_000)
                .put("cost", JsonValue.of(0.5))
                .put(
                        "resources",
                        JsonObject.of("cpu_cores", JsonValue.of(4), "ram_gb", JsonValue.of(2)))
                .put("installed_models", JsonArray.of(JsonObject.of("name", new JsonString("m"))))
                .put("category_limits", JsonObject.of("gpu", JsonValue.of(1)))
                .put("labels", JsonObject.of("zone", new JsonString("a")))
                .build();
    }

    private static JsonObject heartbeat(String lease) {
        return JsonObject.builder()
                .put("load", 1)
                .put("status", "idle")
                .put("supported_tasks", JsonArray.ofStrings(List.of("noop")))
                .put("hot_cache", JsonArray.EMPTY)
                .put("current_tasks", JsonArray.ofStrings(List.of(lease)))
                .build();
    }

    private JsonObject result(String id, String lease) {
        return JsonObject.builder()
                .put("worker_id", id)
                .put("job_id", json.job())
                .put("task_id", lease)
                .put("lease_token", lease)
                .put("status", json.pick(List.of("success", "failure", "cancelled", "", "odd")))
                .put("data", JsonObject.of("n", JsonValue.of(1)))
                .put(
                        "error",
                        JsonObject.of(
                                "code",
                                new JsonString("TRANSIENT_ERROR"),
                                "message",
                                new JsonString("no")))
                .put("metrics", HostileJson.METRICS)
                .build();
    }

    private JsonObject results(String id) {
        return JsonObject.builder()
                .put("results", JsonArray.of(result(id, json.lease()), result(id, json.lease())))
                .build();
    }

    private static JsonObject renewal(String lease) {
        var progress =
                JsonObject.builder()
                        .put("task_id", lease)
                        .put("job_id", "j")
                        .put("lease_token", lease)
                        .put("progress", JsonValue.of(0.5))
                        .put("message", "half")
                        .build();
        return JsonObject.of(
                "lease_tokens",
                JsonArray.ofStrings(List.of(lease)),
                "progress",
                JsonArray.of(progress));
    }

    private static JsonObject logs(String lease) {
        var line =
                JsonObject.builder()
                        .put("at", 1_767_225_600_000L)
                        .put("level", "warn")
                        .put("message", "slow")
                        .build();
        return JsonObject.of("lease_token", new JsonString(lease), "lines", JsonArray.of(line));
    }

    private static JsonObject release(String id, String lease) {
        return JsonObject.of(
                "worker_id",
                new JsonString(id),
                "lease_tokens",
                JsonArray.ofStrings(List.of(lease)));
    }

    private static JsonObject event(String id, String lease) {
        return JsonObject.builder()
                .put("event_type", "progress")
                .put("worker_id", id)
                .put("origin_task_id", lease)
                .put("payload", JsonObject.of("progress", JsonValue.of(0.1)))
                .build();
    }

    private static byte[] written(Call call, String token) {
        var head =
                call.method()
                        + " "
                        + call.path()
                        + " HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer "
                        + token
                        + "\r\nContent-Type: application/json\r\nContent-Length: "
                        + call.body().length
                        + "\r\n\r\n";
        var all = new ByteArrayOutputStream();
        all.writeBytes(head.getBytes(UTF_8));
        all.writeBytes(call.body());
        return all.toByteArray();
    }

    /// A request whose head is good: there is an answer to it.
    private void whole(Call call) throws IOException {
        var open = open();
        try {
            open.send(written(call, json.token()));
            var answer = open.answer();
            if (answer == null) {
                if (open.isFirst()) {
                    findings.add("a request was not answered", call.toString());
                }
                // Otherwise the server may have closed a connection that it had kept.
                tally.add("closed");
                drop();
                return;
            }
            judge(answer, call.toString());
            learn(answer);
            if (answer.isLast()) {
                drop();
            }
        } catch (SocketTimeoutException late) {
            findings.add("a request was not answered in time", call.toString());
            drop();
        } catch (IOException reset) {
            if (open.isFirst()) {
                tally.add("reset");
            }
            drop();
        }
    }

    private void learn(HttpExchange.Answer answer) {
        if (answer.status() == 200 && answer.text().contains("\"lease_token\"")) {
            for (var part : answer.text().split("\"lease_token\":\"", -1)) {
                var end = part.indexOf('"');
                if (end > 0 && part.charAt(0) != '{') {
                    json.obtained(part.substring(0, end));
                }
            }
        }
    }

    /// What is no request: there may be an answer, and then the connection ends.
    private void broken(byte[] bytes) throws IOException {
        drop();
        try (var alone = new HttpExchange(port)) {
            alone.send(bytes);
            alone.endOutput();
            for (var answer = alone.answer(); answer != null; answer = alone.answer()) {
                judge(answer, new String(bytes, ISO_8859_1));
            }
        } catch (SocketTimeoutException late) {
            findings.add(
                    "the connection of a broken request stays open", new String(bytes, ISO_8859_1));
        } catch (IOException reset) {
            tally.add("reset");
        }
    }

    /// A request whose sender is gone before its end, or its answer.
    private void abandoned(byte[] bytes) throws IOException {
        try (var alone = new HttpExchange(port)) {
            var cut = random.nextBoolean() ? bytes.length : random.nextInt(bytes.length);
            alone.sendAndReset(bytes, cut);
            tally.add("abandoned");
        }
    }

    private void judge(HttpExchange.Answer answer, String request) {
        if (answer.status() < 400) {
            tally.add("http " + answer.status());
            return;
        }
        var code = code(answer);
        tally.add("http " + answer.status() + " " + code);
        if (code.isEmpty()) {
            findings.add("an answer " + answer.status() + " has no code", request);
        }
        if (answer.status() >= 500
                && answer.status() != 501
                && answer.status() != 503
                && answer.status() != 505) {
            findings.add("an answer is " + answer.status() + " " + code, request);
        }
    }

    private static String code(HttpExchange.Answer answer) {
        try {
            return JsonText.read(answer.body()) instanceof JsonObject problem
                    ? problem.string("code").orElse("")
                    : "";
        } catch (MalformedJson none) {
            return "";
        }
    }

    private HttpExchange open() throws IOException {
        var open = exchange;
        if (open == null) {
            open = new HttpExchange(port);
            exchange = open;
        }
        return open;
    }

    private void drop() {
        var open = exchange;
        exchange = null;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void close() {
        drop();
    }
}
