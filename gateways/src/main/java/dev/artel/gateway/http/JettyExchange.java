package dev.artel.gateway.http;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/// A request whose answer is to come. Answered once.
///
/// @param callback called at its end
record JettyExchange(Request request, Response response, Callback callback) {
    /// Answers.
    ///
    /// @param type of `body`; null if there is none
    /// @param retryAfter in seconds; 0: not sent
    /// @param written completes when the connection has all of it, or with the reason why it never will
    void answer(int status, @Nullable String type, long retryAfter, byte[] body, Callback written) {
        response.setStatus(status);
        var headers = response.getHeaders();
        if (retryAfter > 0) {
            headers.put(HttpHeader.RETRY_AFTER, retryAfter);
        }
        if (type != null) {
            headers.put(HttpHeader.CONTENT_TYPE, type);
        }
        response.write(
                true,
                body.length == 0 ? null : ByteBuffer.wrap(body),
                Callback.combine(written, callback));
    }

    /// Notices that the sender hangs up.
    DisconnectDetector watch(Runnable gone) {
        request.addIdleTimeoutListener(_ -> false);
        return DisconnectDetector.watch(request, gone);
    }

    /// The sender has hung up.
    void over() {
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
        response.setStatus(204);
        response.write(true, null, callback);
    }

    /// There will be no answer.
    void fail(Throwable why) {
        callback.failed(why);
    }
}
