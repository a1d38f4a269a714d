package dev.artel.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A Chromium without a window, steered by its [DevTools protocol](https://chromedevtools.github.io/devtools-protocol/), of which this knows as much as a
/// benchmark needs. Not safe for use by many threads.
final class Chromium implements AutoCloseable {
    private static final Path PROGRAM =
            Path.of(System.getProperty("chromium", "/usr/bin/chromium"));
    private static final Pattern READY = Pattern.compile("DevTools listening on (ws://\\S+)");
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final Duration LONGEST_END = Duration.ofSeconds(20);

    private final Process process;
    private final Path folder;
    private final HttpClient http = HttpClient.newHttpClient();
    private final WebSocket socket;
    private final Map<Long, CompletableFuture<JsonObject>> open = new ConcurrentHashMap<>();
    private final AtomicLong calls = new AtomicLong();

    private Chromium(Process process, Path folder, URI address) throws IOException {
        this.process = process;
        this.folder = folder;
        socket =
                answer(
                        http.newWebSocketBuilder()
                                .connectTimeout(LONGEST)
                                .buildAsync(address, new DevToolsAnswers()),
                        "the connection to " + address);
    }

    static boolean isInstalled() {
        return Files.isExecutable(PROGRAM);
    }

    /// @throws IOException if there is none, or it does not begin
    static Chromium start() throws IOException {
        if (!isInstalled()) {
            throw new IOException(
                    PROGRAM
                            + " is not there; install Debian's chromium, or set -Dchromium=PATH of"
                            + " another one");
        }
        var folder =
                Files.createTempDirectory(
                        Files.createDirectories(Path.of("target", "bench")), "chromium-");
        var process =
                new ProcessBuilder(
                                PROGRAM.toString(),
                                "--headless",
                                "--no-sandbox",
                                "--no-first-run",
                                "--disable-extensions",
                                "--remote-debugging-port=0",
                                "--user-data-dir=" + folder.toAbsolutePath(),
                                "--window-size=1280,900",
                                "about:blank")
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try {
            return new Chromium(process, folder, address(process.errorReader(UTF_8)));
        } catch (IOException | RuntimeException failed) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            throw failed;
        }
    }

    /// Reads to the end what it complains about: it waits for room where nobody does.
    private static URI address(BufferedReader errors) throws IOException {
        var address = new CompletableFuture<URI>();
        Thread.ofVirtual()
                .name("chromium-errors")
                .start(() -> {
                    errors.lines()
                            .map(READY::matcher)
                            .filter(Matcher::find)
                            .forEach(ready -> address.complete(URI.create(ready.group(1))));
                    address.completeExceptionally(
                            new IOException(PROGRAM + " ended before it was ready"));
                });
        return answer(address, PROGRAM + " to be ready");
    }

    /// @param what is waited for
    private static <T> T answer(CompletableFuture<T> future, String what) throws IOException {
        try {
            return future.get(LONGEST.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException late) {
            throw new IOException(
                    "waited for " + what + " for " + LONGEST.toSeconds() + " s", late);
        } catch (ExecutionException failed) {
            throw new IOException("waited for " + what, failed.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + what, interrupted);
        }
    }

    /// Takes the answers together that come in pieces.
    private final class DevToolsAnswers implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence piece, boolean isLast) {
            text.append(piece);
            if (isLast) {
                var message = (JsonObject) JsonText.read(text.toString().getBytes(UTF_8));
                text.setLength(0);
                message.number("id")
                        .map(JsonNumber::asLong)
                        .map(open::remove)
                        .ifPresent(call -> call.complete(message));
            }
            from.request(1);
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void onError(WebSocket from, Throwable error) {
            open.values().forEach(call -> call.completeExceptionally(error));
        }

        @Override
        public CompletionStage<?> onClose(WebSocket from, int status, String reason) {
            open.values()
                    .forEach(call ->
                            call.completeExceptionally(
                                    new IOException(PROGRAM + " closed the connection")));
            return CompletableFuture.completedFuture(null);
        }
    }

    private JsonObject call(JsonObject.Builder message, String method) throws IOException {
        var id = calls.incrementAndGet();
        var answer = new CompletableFuture<JsonObject>();
        open.put(id, answer);
        message.put("id", JsonValue.of(id)).put("method", method);
        try {
            var text = new String(JsonText.write(message.build()), UTF_8);
            var _ = answer(socket.sendText(text, true), method + " to be sent");
            var answered = answer(answer, "the answer to " + method);
            if (answered.has("error")) {
                throw new IOException(method + " was answered " + answered);
            }
            return answered.object("result").orElse(JsonObject.EMPTY);
        } finally {
            open.remove(id);
        }
    }

    private JsonObject call(String method, JsonObject params) throws IOException {
        return call(JsonObject.builder().put("params", params), method);
    }

    /// A page of a visitor who has never been here: nothing is in its cache.
    FirstVisit visit() throws IOException {
        var visitor =
                text(call("Target.createBrowserContext", JsonObject.EMPTY), "browserContextId");
        var target =
                text(
                        call(
                                "Target.createTarget",
                                JsonObject.of(
                                        "url",
                                        JsonValue.of("about:blank"),
                                        "browserContextId",
                                        JsonValue.of(visitor))),
                        "targetId");
        var session =
                text(
                        call(
                                "Target.attachToTarget",
                                JsonObject.of(
                                        "targetId",
                                        JsonValue.of(target),
                                        "flatten",
                                        JsonValue.of(true))),
                        "sessionId");
        return new FirstVisit(visitor, session);
    }

    private static String text(JsonObject answer, String name) {
        return answer.string(name).orElseThrow();
    }

    /// A page of one visitor.
    final class FirstVisit implements AutoCloseable {
        private final String visitor;
        private final String session;

        private FirstVisit(String visitor, String session) {
            this.visitor = visitor;
            this.session = session;
        }

        private JsonObject call(String method, JsonObject params) throws IOException {
            return Chromium.this.call(
                    JsonObject.builder().put("sessionId", session).put("params", params), method);
        }

        /// Runs `script` in each document before all of its own.
        void before(String script) throws IOException {
            call("Page.enable", JsonObject.EMPTY);
            call(
                    "Page.addScriptToEvaluateOnNewDocument",
                    JsonObject.of("source", JsonValue.of(script)));
        }

        /// Begins to load another document.
        void go(String address) throws IOException {
            call("Page.navigate", JsonObject.of("url", JsonValue.of(address)));
        }

        /// The next document is loaded as on a first visit.
        void forget() throws IOException {
            call("Network.clearBrowserCache", JsonObject.EMPTY);
        }

        /// The value of `expression`, or of what it promises.
        JsonValue value(String expression) throws IOException {
            var answer =
                    call(
                            "Runtime.evaluate",
                            JsonObject.builder()
                                    .put("expression", expression)
                                    .put("awaitPromise", JsonValue.of(true))
                                    .put("returnByValue", JsonValue.of(true))
                                    .build());
            if (answer.has("exceptionDetails")) {
                throw new IOException(expression + " failed: " + answer);
            }
            return answer.object("result").flatMap(it -> it.get("value")).orElse(JsonNull.NULL);
        }

        @Override
        public void close() throws IOException {
            Chromium.this.call(
                    "Target.disposeBrowserContext",
                    JsonObject.of("browserContextId", JsonValue.of(visitor)));
        }
    }

    @Override
    public void close() throws IOException {
        http.shutdownNow();
        // Its other processes write to the folder until they end, which is later.
        var all = Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList();
        process.destroy();
        if (!haveEnded(all)) {
            all.forEach(ProcessHandle::destroyForcibly);
            if (!haveEnded(all)) {
                throw new IOException("not all processes of " + PROGRAM + " ended");
            }
        }
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static boolean haveEnded(List<ProcessHandle> all) throws IOException {
        try {
            CompletableFuture.allOf(
                            all.stream()
                                    .map(ProcessHandle::onExit)
                                    .toArray(CompletableFuture[]::new))
                    .get(LONGEST_END.toSeconds(), TimeUnit.SECONDS);
            return true;
        } catch (TimeoutException notYet) {
            return false;
        } catch (ExecutionException failed) {
            throw new IOException("waited for the end of " + PROGRAM, failed.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
