package dev.artel.worker.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/// A request to Jetty. Its callback is completed by the answer, which is given once.
final class JettyCall implements HttpCall {
    private final Request request;
    private final Response response;
    private final Callback callback;
    private boolean answered;

    JettyCall(Request request, Response response, Callback callback) {
        this.request = request;
        this.response = response;
        this.callback = callback;
    }

    @Override
    public String method() {
        return request.getMethod();
    }

    @Override
    public String path() {
        return Request.getPathInContext(request);
    }

    @Override
    public Optional<String> query() {
        return Optional.ofNullable(request.getHttpURI().getQuery());
    }

    @Override
    public Optional<String> header(String name) {
        return Optional.ofNullable(request.getHeaders().get(name));
    }

    @Override
    public String remoteAddress() {
        return Request.getRemoteAddr(request);
    }

    @Override
    public byte[] body(int maxBytes) {
        try (var in = Content.Source.asInputStream(request)) {
            var body = in.readNBytes(maxBytes);
            if (in.read() >= 0) {
                throw new IllegalArgumentException(
                        "a body of more than %d bytes for %s %s"
                                .formatted(maxBytes, method(), path()));
            }
            return body;
        } catch (IOException e) {
            throw new UncheckedIOException("reading the body of " + method() + " " + path(), e);
        }
    }

    @Override
    public void respond(int status, String contentType, byte[] body) {
        if (answered) {
            throw new IllegalStateException(
                    "%s %s is answered already".formatted(method(), path()));
        }
        answered = true;
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
        response.write(true, ByteBuffer.wrap(body), callback);
    }

    @Override
    public boolean isAnswered() {
        return answered;
    }
}
