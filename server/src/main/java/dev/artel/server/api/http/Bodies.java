package dev.artel.server.api.http;

import dev.artel.gateway.http.BodyRoom;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.ForeignJson;
import dev.artel.json.text.MalformedJson;
import io.javalin.http.Context;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.io.EofException;
import org.jspecify.annotations.Nullable;

/// Reads bodies of requests, up to a limit.
public final class Bodies {
    private static final int LONGEST = 2000;

    /// A body of so few bytes is taken however full the heap is: it may be what frees some of it.
    private static final int SMALL = 1_000;

    private final int limit;

    /// One that refuses bodies of more than `limit` bytes.
    public Bodies(int limit) {
        this.limit = limit;
    }

    /// The body as JSON, whatever its content type is.
    public JsonValue json(Context request) {
        return json(request, bytesOfJson(request));
    }

    private byte[] bytesOfJson(Context request) {
        var bytes = bytes(request);
        BodyRoom.takeValue(request, bytes);
        return bytes;
    }

    private static JsonValue json(Context request, byte[] text) {
        if (text.length == 0) {
            throw HttpRefusal.invalidJson("the body is empty; send a JSON value");
        }
        if (text.length > SMALL) {
            FreeHeap.require(BodyRoom.ownerOf(request), text.length);
        }
        try {
            return ForeignJson.read(text);
        } catch (MalformedJson malformed) {
            if (malformed.isTooHeavy()) {
                throw new HttpRefusal(
                        ErrorCode.BODY_TOO_LARGE,
                        "Body too large",
                        String.valueOf(malformed.getMessage()));
            }
            throw HttpRefusal.invalidJson(String.valueOf(malformed.getMessage()));
        }
    }

    /// The body as an object that has no other members than `fields`.
    public JsonObject object(Context request, List<String> fields) {
        return object(json(request), fields);
    }

    /// As [#object]; a request without a body has one without members.
    public JsonObject objectIfAny(Context request, List<String> fields) {
        var text = bytesOfJson(request);
        return text.length == 0 ? JsonObject.EMPTY : object(json(request, text), fields);
    }

    private static JsonObject object(JsonValue body, List<String> fields) {
        if (!(body instanceof JsonObject object)) {
            throw HttpRefusal.invalidJson("the body must be an object, was " + body.kind());
        }
        for (var name : object.names()) {
            if (!fields.contains(name)) {
                throw new HttpRefusal(
                        ErrorCode.UNKNOWN_FIELD,
                        "Unknown field",
                        "there is no field '"
                                + UnknownNames.shortened(name)
                                + "'; there are "
                                + fields);
            }
        }
        return object;
    }

    /// The text `name` of a body, of 1 to 2000 characters.
    ///
    /// @param defaultValue the value where it is not there
    /// @param title what is wrong where it is something else
    public static String text(JsonObject body, String name, String defaultValue, String title) {
        var value = body.get(name);
        if (value.isEmpty()) {
            return defaultValue;
        }
        if (value.get() instanceof JsonString(var text)
                && !text.isBlank()
                && text.length() <= LONGEST) {
            return text;
        }
        throw new HttpRefusal(
                ErrorCode.INVALID_BODY,
                title,
                name + " must be a text of 1 to " + LONGEST + " characters");
    }

    /// The body as it is.
    public byte[] bytes(Context request) {
        try {
            var in = request.req().getInputStream();
            if (request.req().getContentLengthLong() > limit) {
                throw tooLarge();
            }
            var declared = request.req().getContentLengthLong();
            if (declared > 0) {
                BodyRoom.take(request, declared);
            }
            var bytes = declared < 0 ? BodyRoom.read(request, in, limit) : in.readNBytes(limit + 1);
            if (bytes.length > limit) {
                throw tooLarge();
            }
            return bytes;
        } catch (IOException broken) {
            throw unread(broken);
        }
    }

    private HttpRefusal tooLarge() {
        return new HttpRefusal(
                ErrorCode.BODY_TOO_LARGE,
                "Body too large",
                "at most " + limit + " bytes are taken");
    }

    /// Whether the client is to blame: it hung up, was too slow, or broke the rules of chunks.
    static boolean isOfTheClient(Throwable failure) {
        return causes(failure)
                .anyMatch(cause ->
                        cause instanceof EofException
                                || cause instanceof ClosedChannelException
                                || cause instanceof TimeoutException
                                || cause instanceof HttpException);
    }

    /// The answer to the client, if it still listens.
    static HttpRefusal unread(Exception failure) {
        return causes(failure).anyMatch(TimeoutException.class::isInstance)
                ? new HttpRefusal(
                        ErrorCode.REQUEST_TIMEOUT,
                        "Request timeout",
                        "the body did not arrive in time; send it again")
                : new HttpRefusal(
                        ErrorCode.INCOMPLETE_BODY,
                        "Incomplete body",
                        "the body could not be read to its end");
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.<@Nullable Throwable>iterate(
                        failure, Objects::nonNull, cause -> cause == null ? null : cause.getCause())
                .map(Objects::requireNonNull);
    }
}
