package dev.artel.server.api;

import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpException;

/// Reads bodies of requests, up to a limit.
final class Bodies {
    private final int limit;

    Bodies(int limit) {
        this.limit = limit;
    }

    /// The body as JSON, whatever its content type says.
    JsonValue json(Context request) {
        var text = bytes(request);
        if (text.length == 0) {
            throw ApiRefusal.invalidJson("the body is empty; send a JSON value");
        }
        try {
            return JsonText.read(text);
        } catch (MalformedJson malformed) {
            throw ApiRefusal.invalidJson(String.valueOf(malformed.getMessage()));
        }
    }

    private byte[] bytes(Context request) {
        if (request.req().getContentLengthLong() > limit) {
            throw tooLarge();
        }
        try {
            var bytes = request.req().getInputStream().readNBytes(limit + 1);
            if (bytes.length > limit) {
                throw tooLarge();
            }
            return bytes;
        } catch (IOException broken) {
            throw unread(broken);
        }
    }

    private ApiRefusal tooLarge() {
        return new ApiRefusal(413, "Body too large", "at most " + limit + " bytes are taken");
    }

    /// The client is to blame: it hung up, was too slow, or broke the rules of chunks.
    private static ApiRefusal unread(IOException broken) {
        for (Throwable cause = broken; cause != null; cause = cause.getCause()) {
            if (cause instanceof TimeoutException
                    || (cause instanceof HttpException http && http.getCode() == 408)) {
                return new ApiRefusal(
                        408, "Request timeout", "the body did not arrive in time; send it again");
            }
        }
        return new ApiRefusal(400, "Incomplete body", "the body could not be read to its end");
    }
}
