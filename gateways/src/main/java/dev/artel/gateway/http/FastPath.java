package dev.artel.gateway.http;

import static dev.artel.gateway.access.WorkerLimits.Kind.HEARTBEAT;
import static dev.artel.gateway.access.WorkerLimits.Kind.POLL;

import dev.artel.gateway.shell.FrequentHeartbeats;
import dev.artel.gateway.shell.SessionShell;
import dev.artel.gateway.shell.TaskAssignments;
import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.protocol.Heartbeat;
import dev.artel.protocol.MalformedMessage;
import dev.artel.protocol.WorkerMessage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/// Answers the two requests that workers send again and again, heartbeats and polls, before servlets and routes, which
/// would take several times as long, and more memory for each poll that waits, than what they are there for.
///
/// Whatever is out of the ordinary is left to the routes of [HttpWorkerGateway], which know all cases and answer
/// ordinary ones the same.
public final class FastPath extends Handler.Wrapper {
    private static final String WORKERS = "/_worker/workers/";
    private static final String NEXT = "/tasks/next";

    private static final Set<String> UNDERSTOOD =
            Set.of("max", "available_skills", "hot_skills", "timeout");

    /// A larger one needs room in memory, for which this thread must not wait.
    private static final int LARGEST_BODY = 4 << 10;

    private final Requests requests;
    private final FrequentHeartbeats frequent;
    private final FastPathAnswers quick;
    private final FastPathConfig fastPathConfig;
    private final Executor threads = task -> Thread.ofVirtual().name("artel-request").start(task);

    /// Where it stands.
    ///
    /// @param basePath what comes before the paths of the routes
    /// @param isOpen whether requests are accepted
    /// @param isQuiet whether a request costs so little that the thread that reads connections may answer it itself;
    ///     false where it must not, as that thread has to decrypt
    /// @param answered receives the status of each answer
    public record FastPathConfig(
            String basePath,
            BooleanSupplier isOpen,
            Optional<BooleanSupplier> isQuiet,
            IntConsumer answered) {}

    FastPath(
            SessionShell shell,
            Requests requests,
            FrequentHeartbeats frequent,
            TaskAssignments assignments,
            FastPathConfig fastPathConfig) {
        this.requests = requests;
        this.frequent = frequent;
        this.fastPathConfig = fastPathConfig;
        quick = new FastPathAnswers(shell, requests, assignments, fastPathConfig.answered());
    }

    /// Who reads a connection goes on with what has arrived, which saves the wake-up of another thread and of itself
    /// afterwards. That thread must not wait, so that other requests get one of their own.
    @Override
    public InvocationType getInvocationType() {
        return fastPathConfig.isQuiet().isPresent()
                ? InvocationType.NON_BLOCKING
                : InvocationType.BLOCKING;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        var exchange = new JettyExchange(request, response, callback);
        if (fastPathConfig.isQuiet().isEmpty()) {
            return isTaken(exchange) || super.handle(request, response, callback);
        }
        if (!isOfWorkers(request) || !isQuiet()) {
            return elsewhere(
                    exchange, () -> isTaken(exchange) || super.handle(request, response, callback));
        }
        return isTaken(exchange)
                || elsewhere(exchange, () -> super.handle(request, response, callback));
    }

    private boolean isQuiet() {
        return fastPathConfig.isQuiet().filter(BooleanSupplier::getAsBoolean).isPresent();
    }

    private interface Handling {
        boolean handle() throws Exception;
    }

    private boolean elsewhere(JettyExchange exchange, Handling handling) {
        threads.execute(() -> {
            try {
                if (!handling.handle()) {
                    fail(exchange, HttpStatus.NOT_FOUND_404, null);
                }
            } catch (Throwable failure) {
                fail(exchange, HttpStatus.INTERNAL_SERVER_ERROR_500, failure);
            }
        });
        return true;
    }

    private static void fail(JettyExchange exchange, int status, @Nullable Throwable failure) {
        Response.writeError(
                exchange.request(),
                exchange.response(),
                exchange.callback(),
                status,
                null,
                failure);
    }

    private boolean isOfWorkers(Request request) {
        var path = request.getHttpURI().getPath();
        return path != null
                && path.startsWith(fastPathConfig.basePath())
                && path.startsWith(WORKERS, fastPathConfig.basePath().length());
    }

    private boolean isTaken(JettyExchange exchange) throws IOException {
        if (!isOfWorkers(exchange.request()) || !fastPathConfig.isOpen().getAsBoolean()) {
            return false;
        }
        var path = exchange.request().getHttpURI().getPath();
        var name = path.substring(fastPathConfig.basePath().length() + WORKERS.length());
        return switch (exchange.request().getMethod()) {
            case "PATCH" -> heartbeat(exchange, name);
            case "GET" ->
                    name.endsWith(NEXT)
                            && poll(exchange, name.substring(0, name.length() - NEXT.length()));
            default -> false;
        };
    }

    /// The worker `name`, if the request is clearly its own.
    private @Nullable WorkerId sender(Request request, String name) {
        var token = BearerToken.sure(request.getHeaders(), Requests.TOKEN);
        return token == null || !isPlain(name) ? null : requests.sure(token, name);
    }

    /// Whether a part of a path is what it looks like.
    private static boolean isPlain(String name) {
        var hasMoreThanDots = false;
        for (var i = 0; i < name.length(); i++) {
            var each = name.charAt(i);
            if (each != '.') {
                hasMoreThanDots = true;
                if (!isPlain(each)) {
                    return false;
                }
            }
        }
        return hasMoreThanDots;
    }

    private static boolean isPlain(char each) {
        return (each >= 'a' && each <= 'z')
                || (each >= 'A' && each <= 'Z')
                || (each >= '0' && each <= '9')
                || each == '-'
                || each == '_';
    }

    private boolean heartbeat(JettyExchange exchange, String name) throws IOException {
        var request = exchange.request();
        var length = request.getLength();
        var isPlain =
                length >= 0
                        && length <= LARGEST_BODY
                        && !request.getHeaders().contains(HttpHeader.EXPECT);
        var sender = isPlain ? sender(request, name) : null;
        if (sender == null || !requests.takes(sender, HEARTBEAT)) {
            return false;
        }
        frequent.heard(sender);
        request.setAttribute(Requests.WORKER, sender.value());
        var body = ByteBuffer.allocate((int) length);
        try {
            if (isComplete(request, body)) {
                beat(exchange, sender, body.array());
                return true;
            }
        } catch (IOException ended) {
            return isIncomplete(exchange);
        }
        return elsewhere(
                exchange,
                () -> {
                    var from = body.position();
                    try {
                        var rest =
                                Request.asInputStream(request)
                                        .readNBytes(body.array(), from, body.remaining());
                        if (rest < body.remaining()) {
                            return isIncomplete(exchange);
                        }
                    } catch (IOException ended) {
                        return isIncomplete(exchange);
                    }
                    beat(exchange, sender, body.array());
                    return true;
                });
    }

    private boolean isIncomplete(JettyExchange exchange) {
        quick.write(exchange, new HttpRefusal(ErrorCode.INCOMPLETE_BODY, "the body ended early"));
        return true;
    }

    /// Takes in what has arrived.
    private static boolean isComplete(Request request, ByteBuffer body) throws IOException {
        while (body.hasRemaining()) {
            var chunk = request.read();
            if (chunk == null) {
                return false;
            }
            if (Content.Chunk.isFailure(chunk)) {
                throw new IOException("reading a heartbeat", chunk.getFailure());
            }
            body.put(chunk.getByteBuffer());
            chunk.release();
            if (chunk.isLast() && body.hasRemaining()) {
                throw new EofException("the body of a heartbeat ended early");
            }
        }
        return true;
    }

    private void beat(JettyExchange exchange, WorkerId sender, byte[] bytes) {
        Heartbeat heartbeat;
        try {
            heartbeat =
                    Requests.parse(bytes) instanceof JsonObject object
                            ? Heartbeat.read(sender.value(), object)
                            : new Heartbeat.Empty(sender.value());
        } catch (MalformedMessage malformed) {
            quick.write(exchange, HttpRefusal.malformed(malformed));
            return;
        }
        quick.beat(exchange, sender, heartbeat);
    }

    private boolean poll(JettyExchange exchange, String name) {
        var request = exchange.request();
        var hasBody =
                request.getLength() > 0
                        || request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING);
        var sender = hasBody ? null : sender(request, name);
        var poll = sender == null ? null : poll(request, sender);
        if (sender == null || poll == null || !requests.takes(sender, POLL)) {
            return false;
        }
        request.setAttribute(Requests.WORKER, sender.value());
        quick.poll(exchange, sender, poll);
        return true;
    }

    /// What a poll asks for; null if there is more in its query than the short cut understands.
    private static WorkerMessage.@Nullable Poll poll(Request request, WorkerId sender) {
        var query = request.getHttpURI().getQuery();
        if (query == null) {
            return new WorkerMessage.Poll(sender.value(), 0);
        }
        try {
            var fields = Request.extractQueryParameters(request);
            return UNDERSTOOD.containsAll(fields.getNames())
                    ? PollQuery.read(sender, fields::getValuesOrEmpty)
                    : null;
        } catch (HttpRefusal refusal) {
            // The routes answer what is wrong.
            return null;
        }
    }
}
