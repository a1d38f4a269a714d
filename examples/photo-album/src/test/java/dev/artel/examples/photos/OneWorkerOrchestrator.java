package dev.artel.examples.photos;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// Just enough of an orchestrator to have a worker do one task after the other.
final class OneWorkerOrchestrator implements AutoCloseable {
    private final HttpServer server;
    private final BlockingQueue<JsonObject> tasks = new LinkedBlockingQueue<>();
    private final BlockingQueue<JsonObject> results = new LinkedBlockingQueue<>();
    private int number;

    OneWorkerOrchestrator() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /// Has a task done and gives what the worker reported.
    JsonObject does(String type, JsonObject params) throws InterruptedException {
        number++;
        tasks.add(
                JsonObject.builder()
                        .put("job_id", "job-1")
                        .put("task_id", "task-" + number)
                        .put("type", type)
                        .put("params", params)
                        .build());
        var result = results.poll(3, TimeUnit.MINUTES);
        if (result == null) {
            throw new AssertionError("no result of " + type + " within 3 min");
        }
        return result;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            var body = exchange.getRequestBody().readAllBytes();
            var path = exchange.getRequestURI().getPath();
            if (path.endsWith("/tasks/next")) {
                var task = tasks.poll(300, TimeUnit.MILLISECONDS);
                answer(exchange, task == null ? 204 : 200, task == null ? "" : task.toString());
            } else if (path.endsWith("/tasks/result")) {
                results.add(((JsonObject) JsonText.read(body)).object("result").orElseThrow());
                answer(exchange, 200, "{\"status\":\"result_accepted_success\"}");
            } else if (path.endsWith("/register")) {
                answer(exchange, 200, "{\"status\":\"registered\"}");
            } else if (exchange.getRequestMethod().equals("PATCH")) {
                answer(exchange, 200, "{}");
            } else {
                answer(exchange, 404, "");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        if (bytes.length > 0) {
            exchange.getResponseBody().write(bytes);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
