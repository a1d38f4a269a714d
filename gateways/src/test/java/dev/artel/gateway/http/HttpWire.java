package dev.artel.gateway.http;

import dev.artel.gateway.access.WorkerLimits;
import dev.artel.gateway.access.WorkerTokens;
import dev.artel.gateway.shell.SessionShell;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.protocol.TaskLog;
import dev.artel.testkit.port.FreePort;
import dev.artel.testkit.transport.ManualClock;
import dev.artel.testkit.transport.ReferenceEngine;
import dev.artel.testkit.transport.WireAnswer;
import dev.artel.testkit.transport.WireAnswer.Kind;
import dev.artel.testkit.transport.WorkerWire;
import dev.artel.waits.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// Workers over real sockets.
final class HttpWire implements WorkerWire.OfBytes {
    private static final Duration TIMEOUT = Await.longest();

    private static final Duration STEP = Duration.ofSeconds(1);

    private final ManualClock clock = new ManualClock();
    private final ReferenceEngine engine = new ReferenceEngine(clock);
    private HttpClient client = HttpClient.newHttpClient();
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final GatewayServer.Way way;
    private GatewayServer server;

    HttpWire() {
        this(GatewayServer.Way.SHORT_CUT);
    }

    HttpWire(GatewayServer.Way way) {
        this.way = way;
        server = start(FreePort.next());
    }

    int port() {
        return server.port;
    }

    private SessionShell.ProgressListener listener() {
        return new SessionShell.ProgressListener() {
            @Override
            public void progressed(
                    WorkerId worker, LeaseToken token, double fraction, String message) {
                heard.add(worker + " " + fraction + " " + message);
            }

            @Override
            public void logged(WorkerId worker, LeaseToken token, List<TaskLog.Line> lines) {
                lines.forEach(
                        line -> heard.add(worker + " " + line.level() + " " + line.message()));
            }
        };
    }

    private GatewayServer start(int port) {
        var tokens = WorkerTokens.shared(GatewayServer.TOKEN);
        var started = new GatewayServer(port, clock, tokens, WorkerLimits.NONE, listener(), way);
        started.shell.recall(engine.registrations());
        started.connect(engine, engine::connect);
        return started;
    }

    @Override
    public List<String> heard() {
        return List.copyOf(heard);
    }

    @Override
    public ReferenceEngine engine() {
        return engine;
    }

    @Override
    public void advance(Duration time) {
        for (var left = time; left.isPositive(); left = left.minus(STEP)) {
            clock.advance(left.compareTo(STEP) < 0 ? left : STEP);
            engine.expire();
            server.shell.tick();
        }
    }

    /// Workers connect anew: a request over a connection whose end has not been noticed fails, and is sent again only where that is safe.
    @Override
    public void restart() {
        var port = server.port;
        client.close();
        client = HttpClient.newHttpClient();
        server.close();
        server = start(port);
    }

    @Override
    public void close() {
        server.close();
        client.close();
    }

    @Override
    public int largestMessage() {
        return GatewayConfig.DEFAULTS.maxBodyBytes();
    }

    @Override
    public WireAnswer resultOf(String workerId, byte[] bytes) {
        return send("POST", "/_worker/tasks/result", bytes);
    }

    @Override
    public Poll pollWithoutReading(String workerId) {
        return RawPoll.open(server.port, workerId, 0, this::answerOf);
    }

    @Override
    public Peer peer(String workerId) {
        return new HttpPeer(workerId);
    }

    private WireAnswer send(String method, String path, byte @Nullable [] body) {
        var publisher = body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body);
        var request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port + path))
                        .timeout(TIMEOUT)
                        .header("X-Worker-Token", GatewayServer.TOKEN)
                        .method(method, publisher)
                        .build();
        try {
            HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
            return answerOf(response.statusCode(), response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(method + " " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private WireAnswer answerOf(int status, byte[] body) {
        var value = body.length == 0 ? JsonArray.EMPTY : JsonText.read(body);
        var kind =
                switch (status) {
                    case 200 -> Kind.TAKEN;
                    case 204 -> Kind.NOTHING;
                    case 400 -> Kind.REFUSED;
                    case 401, 403 -> Kind.FORBIDDEN;
                    case 404 -> Kind.UNKNOWN_WORKER;
                    case 413 -> Kind.TOO_LARGE;
                    case 429, 503 -> Kind.LATER;
                    default -> throw new AssertionError("status " + status + ": " + value);
                };
        return new WireAnswer(kind, value);
    }

    private final class HttpPeer implements Peer {
        private final String id;

        private HttpPeer(String id) {
            this.id = id;
        }

        private String path(String rest) {
            return "/_worker/workers/" + id + rest;
        }

        @Override
        public WireAnswer register(JsonValue registration) {
            return post("/_worker/workers/register", registration);
        }

        @Override
        public WireAnswer heartbeat(@Nullable JsonValue heartbeat) {
            return send("PATCH", path(""), heartbeat == null ? null : JsonText.write(heartbeat));
        }

        @Override
        public Poll poll(int max) {
            return poll(max == 0 ? "" : "?max=" + max);
        }

        @Override
        public Poll poll(List<String> available, List<String> hot, Duration timeout) {
            var warm = hot.isEmpty() ? "" : "&hot_skills=" + String.join(",", hot);
            return poll(
                    "?available_skills="
                            + String.join(",", available)
                            + warm
                            + "&timeout="
                            + timeout.toSeconds()
                            + ".0");
        }

        @Override
        public WireAnswer event(JsonValue event) {
            return post("/_worker/events", event);
        }

        private Poll poll(String query) {
            var before = engine.asks(id);
            var poll = RawPoll.open(server.port, id, query, HttpWire.this::answerOf).begin();
            if (engine.worker(id).isPresent()) {
                engine.await("the poll asks", () -> engine.asks(id) > before || poll.isAnswered());
            }
            return poll;
        }

        @Override
        public WireAnswer result(JsonValue result) {
            return post("/_worker/tasks/result", result);
        }

        @Override
        public WireAnswer results(JsonValue batch) {
            return post("/_worker/tasks/results", batch);
        }

        @Override
        public WireAnswer renew(JsonValue renewal) {
            return post(path("/renew"), renewal);
        }

        @Override
        public WireAnswer ask(String task, JsonValue question) {
            return post(path("/tasks/" + task + "/question"), question);
        }

        @Override
        public WireAnswer release(JsonValue release) {
            return post("/_worker/tasks/release", release);
        }

        @Override
        public WireAnswer drain() {
            return send("POST", path("/drain"), null);
        }

        @Override
        public WireAnswer disconnect() {
            return send("DELETE", path(""), null);
        }

        private WireAnswer post(String path, JsonValue body) {
            return send("POST", path, JsonText.write(body));
        }
    }
}
