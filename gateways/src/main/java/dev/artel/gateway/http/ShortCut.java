package dev.artel.gateway.http;

import static dev.artel.gateway.http.WorkerLimits.Kind.HEARTBEAT;
import static dev.artel.gateway.http.WorkerLimits.Kind.POLL;

import dev.artel.gateway.shell.SessionShell;
import dev.artel.gateway.shell.WaitingPoll;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.delivery.WorkerId;
import dev.artel.protocol.Heartbeat;
import dev.artel.protocol.MalformedMessage;
import dev.artel.session.SessionReply;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Answers the two requests that workers send again and again, heartbeats and polls, before servlets and routes, which
/// would take several times as long, and more memory for each poll that waits, than what they are there for.
///
/// Whatever is out of the ordinary is left to the routes of [HttpWorkerGateway], which know all cases and answer
/// ordinary ones the same.
public final class ShortCut extends Handler.Wrapper {
    private static final Logger LOG = LoggerFactory.getLogger(ShortCut.class);
    private static final String WORKERS = "/_worker/workers/";
    private static final String NEXT = "/tasks/next";
    private static final String MAX = "max=";

    /// As the servlets write it.
    private static final String JSON = "application/json;charset=utf-8";

    private static final int LARGEST_BODY = 16 << 10;

    private final SessionShell shell;
    private final Requests requests;
    private final Assignments assignments;
    private final Entrance entrance;
    private final Executor threads = task -> Thread.startVirtualThread(task);

    /// Where it stands.
    ///
    /// @param basePath what comes before the paths of the routes
    /// @param isOpen whether requests are taken as usual
    /// @param isQuiet whether a request costs so little that the thread that reads connections may answer it itself;
    ///     false where it must not, as that thread has to decrypt
    /// @param answered is told of the status of each answer
    public record Entrance(
            String basePath,
            BooleanSupplier isOpen,
            Optional<BooleanSupplier> isQuiet,
            IntConsumer answered) {}

    ShortCut(SessionShell shell, Requests requests, Assignments assignments, Entrance entrance) {
        this.shell = shell;
        this.requests = requests;
        this.assignments = assignments;
        this.entrance = entrance;
    }

    /// Who reads a connection goes on with what has arrived, which saves the wake-up of another thread and of itself
    /// afterwards. That thread must not wait, so that other requests get one of their own.
    @Override
    public InvocationType getInvocationType() {
        return entrance.isQuiet().isPresent()
                ? InvocationType.NON_BLOCKING
                : InvocationType.BLOCKING;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        var exchange = new Exchange(request, response, callback);
        if (entrance.isQuiet().isEmpty()) {
            return isTaken(exchange) || super.handle(request, response, callback);
        }
        if (!isOfWorkers(request) || !entrance.isQuiet().get().getAsBoolean()) {
            return elsewhere(
                    exchange, () -> isTaken(exchange) || super.handle(request, response, callback));
        }
        return isTaken(exchange)
                || elsewhere(exchange, () -> super.handle(request, response, callback));
    }

    private interface Handling {
        boolean handle() throws Exception;
    }

    private boolean elsewhere(Exchange exchange, Handling handling) {
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

    private static void fail(Exchange exchange, int status, @Nullable Throwable failure) {
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
                && path.startsWith(entrance.basePath())
                && path.startsWith(WORKERS, entrance.basePath().length());
    }

    private boolean isTaken(Exchange exchange) throws IOException {
        if (!isOfWorkers(exchange.request()) || !entrance.isOpen().getAsBoolean()) {
            return false;
        }
        var path = exchange.request().getHttpURI().getPath();
        var name = path.substring(entrance.basePath().length() + WORKERS.length());
        return switch (exchange.request().getMethod()) {
            case "PATCH" -> heartbeat(exchange, name);
            case "GET" ->
                    name.endsWith(NEXT)
                            && poll(exchange, name.substring(0, name.length() - NEXT.length()));
            default -> false;
        };
    }

    private record Exchange(Request request, Response response, Callback callback) {}

    /// The worker `name`, if the request is clearly its own.
    private @Nullable WorkerId sender(Request request, String name) {
        var token = request.getHeaders().get(Requests.TOKEN);
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

    private boolean heartbeat(Exchange exchange, String name) throws IOException {
        var request = exchange.request();
        var length = request.getLength();
        var isPlain =
                length >= 0
                        && length <= LARGEST_BODY
                        && !request.getHeaders().contains(HttpHeader.EXPECT);
        var worker = isPlain ? sender(request, name) : null;
        if (worker == null || !requests.takes(worker, HEARTBEAT)) {
            return false;
        }
        request.setAttribute(Requests.WORKER, worker.value());
        var body = ByteBuffer.allocate((int) length);
        if (isComplete(request, body)) {
            beat(exchange, worker, body.array());
            return true;
        }
        return elsewhere(
                exchange,
                () -> {
                    var from = body.position();
                    var rest =
                            Request.asInputStream(request)
                                    .readNBytes(body.array(), from, body.remaining());
                    if (rest < body.remaining()) {
                        throw new EofException("the body of a heartbeat ended early");
                    }
                    beat(exchange, worker, body.array());
                    return true;
                });
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

    private void beat(Exchange exchange, WorkerId worker, byte[] bytes) {
        Heartbeat heartbeat;
        try {
            heartbeat =
                    Requests.parse(bytes) instanceof JsonObject object
                            ? Heartbeat.read(worker.value(), object)
                            : new Heartbeat.Empty(worker.value());
        } catch (MalformedMessage malformed) {
            write(exchange, HttpRefusal.malformed(malformed));
            return;
        }
        var reply = shell.tell(worker, heartbeat);
        if (reply.isDone()) {
            write(exchange, reply.join());
            return;
        }
        reply.thenAcceptAsync(it -> write(exchange, it), threads)
                .exceptionally(bug -> broken(exchange, worker, bug));
    }

    private static @Nullable Void broken(Exchange exchange, WorkerId worker, Throwable bug) {
        LOG.atError()
                .addKeyValue("worker", worker)
                .setCause(bug)
                .log("a worker's request could not be answered");
        exchange.callback().failed(bug);
        return null;
    }

    private boolean poll(Exchange exchange, String name) {
        var request = exchange.request();
        var max = max(request.getHttpURI().getQuery());
        var hasBody =
                request.getLength() > 0
                        || request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING);
        var worker = max < 0 || hasBody ? null : sender(request, name);
        if (worker == null || !requests.takes(worker, POLL)) {
            return false;
        }
        request.setAttribute(Requests.WORKER, worker.value());
        var poll = shell.poll(worker, max);
        if (poll.answer().isDone()) {
            answer(exchange, worker, poll, true);
            return true;
        }
        request.addIdleTimeoutListener(_ -> false);
        var hangup = Hangup.watch(request, () -> shell.abandon(poll));
        poll.answer()
                .thenRunAsync(() -> answer(exchange, worker, poll, hangup.stop()), threads)
                .exceptionally(bug -> broken(exchange, worker, bug));
        return true;
    }

    /// How many tasks a poll may bring at most: 0 if it does not say, -1 if it says something else.
    private static int max(@Nullable String query) {
        if (query == null) {
            return 0;
        }
        var digits = query.startsWith(MAX) ? query.substring(MAX.length()) : "";
        var isNumber =
                !digits.isEmpty()
                        && digits.length() < 6
                        && digits.chars().allMatch(each -> each >= '0' && each <= '9');
        var max = isNumber ? Integer.parseInt(digits) : 0;
        return max == 0 ? -1 : max;
    }

    private void answer(Exchange exchange, WorkerId worker, WaitingPoll poll, boolean isThere) {
        var reply = poll.answer().join();
        if (!isThere) {
            exchange.response().getHeaders().put(HttpHeader.CONNECTION, "close");
        }
        if (!(reply instanceof SessionReply.Tasks tasks)) {
            write(exchange, reply);
        } else if (isThere) {
            hand(exchange, worker, poll, tasks);
        } else {
            shell.notWritten(poll);
            write(exchange, new SessionReply.NoTask());
        }
    }

    private void hand(
            Exchange exchange, WorkerId worker, WaitingPoll poll, SessionReply.Tasks tasks) {
        byte[] body;
        try {
            body = assignments.write(tasks);
        } catch (RuntimeException unreadable) {
            shell.notWritten(poll);
            throw unreadable;
        }
        write(
                exchange,
                body,
                Callback.from(
                        () -> {
                            requests.giveBack(worker, POLL);
                            shell.written(poll);
                            exchange.callback().succeeded();
                        },
                        broken -> {
                            shell.notWritten(poll);
                            exchange.callback().failed(broken);
                        }));
    }

    private void write(Exchange exchange, SessionReply reply) {
        var refusal = Answers.refusal(reply);
        if (refusal != null) {
            write(exchange, refusal);
            return;
        }
        var body = Answers.body(reply);
        if (body == null) {
            begin(exchange, HttpStatus.NO_CONTENT_204);
            exchange.response().write(true, null, exchange.callback());
        } else {
            write(exchange, JsonText.write(body), exchange.callback());
        }
    }

    private void write(Exchange exchange, HttpRefusal refusal) {
        begin(exchange, refusal.status());
        var headers = exchange.response().getHeaders();
        if (refusal.retryAfterSeconds() > 0) {
            headers.put(HttpHeader.RETRY_AFTER, refusal.retryAfterSeconds());
        }
        headers.put(HttpHeader.CONTENT_TYPE, Problem.TYPE);
        var body = ByteBuffer.wrap(JsonText.write(refusal.body()));
        exchange.response().write(true, body, exchange.callback());
    }

    private void write(Exchange exchange, byte[] body, Callback callback) {
        begin(exchange, HttpStatus.OK_200);
        exchange.response().getHeaders().put(HttpHeader.CONTENT_TYPE, JSON);
        exchange.response().write(true, ByteBuffer.wrap(body), callback);
    }

    private void begin(Exchange exchange, int status) {
        exchange.response().setStatus(status);
        entrance.answered().accept(status);
    }
}
