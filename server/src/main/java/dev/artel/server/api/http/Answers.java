package dev.artel.server.api.http;

import dev.artel.gateway.access.AddressBlock;
import dev.artel.gateway.http.BodyRoom;
import dev.artel.gateway.http.Problem;
import dev.artel.gateway.http.UnreadBody;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.store.ObjectStore;
import dev.artel.server.api.access.ApiAuthenticator;
import io.javalin.http.Context;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes answers.
public final class Answers {
    private static final Logger LOG = LoggerFactory.getLogger(Answers.class);

    /// The media type of most answers.
    public static final String JSON = "application/json; charset=utf-8";

    /// Below this an answer is not worth compressing.
    public static final int SMALL = 500;

    /// Above this it takes a thread that carries requests too long.
    static final int LARGE = 256 << 10;

    private static final int PIECE = 1 << 16;

    private Answers() {}

    /// Answers with `body`.
    public static void json(Context request, int status, JsonValue body) {
        json(request, status, JsonText.write(body));
    }

    /// Answers with a text that is JSON already, in UTF-8.
    public static void json(Context request, int status, byte[] text) {
        write(request, status, JSON, text);
    }

    /// An answer with an error.
    public static void problem(Context request, JsonObject problem) {
        var status = problem.number("status").map(JsonNumber::asLong).orElse(500L);
        request.attribute(Problem.CODE, problem.string("code").orElse(""));
        write(request, status.intValue(), Problem.TYPE, JsonText.write(problem));
    }

    /// JSON that is not in memory as a whole.
    ///
    /// @param length in bytes
    public static void stream(Context request, long length, ObjectStore.Bytes content) {
        request.status(200).contentType(JSON);
        try {
            var response = request.res();
            response.setContentLengthLong(length);
            var piece = new byte[PIECE];
            for (var read = content.read(piece, 0, PIECE);
                    read >= 0;
                    read = content.read(piece, 0, PIECE)) {
                response.getOutputStream().write(piece, 0, read);
            }
            response.flushBuffer();
        } catch (IOException gone) {
            LOG.atDebug()
                    .addKeyValue("path", request.path())
                    .addKeyValue("cause", gone.toString())
                    .log("a client hung up in the middle of a value");
        }
    }

    private static void write(Context request, int status, String type, byte[] text) {
        takeRoom(request, text.length);
        UnreadBody.beforeAnswer(request, status);
        request.status(status).contentType(type);
        if (text.length >= SMALL
                && text.length <= LARGE
                && request.header("Accept-Encoding") != null) {
            request.result(text);
            return;
        }
        send(request, text);
    }

    /// Straight out: Javalin would copy it through a buffer of 8 KiB of its own, and compress it.
    static void send(Context request, byte[] body) {
        try {
            request.res().setContentLength(body.length);
            request.res().getOutputStream().write(body);
        } catch (IOException gone) {
            LOG.atDebug()
                    .addKeyValue("path", request.path())
                    .addKeyValue("cause", gone.toString())
                    .log("a client hung up before its answer");
        }
    }

    /// Waits until there is room for an answer of so many bytes, if that is large: see [BodyRoom#takeAnswer].
    static void takeRoom(Context request, long bytes) {
        String client = request.attribute(ApiAuthenticator.CALLER);
        var reader =
                client == null
                        ? "address " + AddressBlock.of(String.valueOf(request.ip()))
                        : "client " + client;
        BodyRoom.takeAnswer(request, reader, bytes);
    }
}
