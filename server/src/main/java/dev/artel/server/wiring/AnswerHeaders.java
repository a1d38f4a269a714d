package dev.artel.server.wiring;

import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;

/// What browsers are to know of each answer: its type is the one that it states, it is kept nowhere and does nothing as a page.
/// Pages and files that are meant for browsers state something else. Workers are no browsers, and get none of it but with values, whose addresses are good
/// without a token.
final class AnswerHeaders implements HttpConfiguration.Customizer {
    private static final PreEncodedHttpField TYPE =
            new PreEncodedHttpField("X-Content-Type-Options", "nosniff");
    private static final PreEncodedHttpField KEPT =
            new PreEncodedHttpField(HttpHeader.CACHE_CONTROL, "no-store");
    private static final PreEncodedHttpField CONTENT =
            new PreEncodedHttpField("Content-Security-Policy", "default-src 'none'; sandbox");
    private static final PreEncodedHttpField ENCRYPTED =
            new PreEncodedHttpField("Strict-Transport-Security", "max-age=31536000");

    private final String workers;
    private final String values;
    private final boolean isEncrypted;

    /// @param basePath what comes before the paths of the routes
    AnswerHeaders(String basePath, boolean isEncrypted) {
        this.workers = basePath + "/_worker/";
        this.values = workers + "values/";
        this.isEncrypted = isEncrypted;
    }

    @Override
    public Request customize(Request request, HttpFields.Mutable answer) {
        var path = request.getHttpURI().getPath();
        if (path == null || !path.startsWith(workers) || path.startsWith(values)) {
            answer.put(TYPE);
            answer.put(KEPT);
            answer.put(CONTENT);
            if (isEncrypted) {
                answer.put(ENCRYPTED);
            }
        }
        return request;
    }
}
