package dev.artel.server.wiring;

import dev.artel.gateway.http.Problem;
import dev.artel.json.text.JsonText;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/// The answers of Jetty to requests that never reach a route, because they are no HTTP or too large. Jetty ends their connections,
/// and the answers announce that: a client that keeps connections would send its next request over one that ends.
final class JsonErrorPages extends ErrorHandler {
    /// By default answers to other methods than GET, POST and HEAD have no body.
    @Override
    public boolean errorPageForMethod(String method) {
        return true;
    }

    @Override
    protected void generateResponse(
            Request request,
            Response response,
            int code,
            String message,
            @Nullable Throwable cause,
            Callback callback) {
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, Problem.TYPE);
        response.getHeaders().put(HttpFields.CONNECTION_CLOSE);
        response.write(true, ByteBuffer.wrap(body(code, message)), callback);
    }

    private static byte[] body(int code, @Nullable String message) {
        var error = HttpStatus.getMessage(code);
        return JsonText.write(Problem.of(code, error, error.equals(message) ? null : message));
    }
}
