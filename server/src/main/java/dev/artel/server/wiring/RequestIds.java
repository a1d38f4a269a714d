package dev.artel.server.wiring;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;

/// Gives each request a name, its own if it brings a harmless one, and returns it in the answer.
final class RequestIds implements HttpConfiguration.Customizer {
    static final String ATTRIBUTE = "artel.request";
    private static final String HEADER = "X-Request-Id";
    private static final Pattern HARMLESS = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    @Override
    public Request customize(Request request, HttpFields.Mutable answer) {
        var given = request.getHeaders().get(HEADER);
        var id = given != null && HARMLESS.matcher(given).matches() ? given : fresh();
        request.setAttribute(ATTRIBUTE, id);
        answer.put(HEADER, id);
        return request;
    }

    private static String fresh() {
        return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    }
}
