package dev.artel.server.api;

import io.javalin.http.Context;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;

/// Says where a list goes on (RFC 8288).
final class Pages {
    private Pages() {}

    /// The same request with `name` = `value` gives what follows.
    static void next(Context request, String name, String value) {
        var query = new ArrayList<String>();
        request.queryParamMap()
                .forEach((given, values) -> {
                    if (!given.equals(name) && !given.equals("offset")) {
                        values.forEach(each -> query.add(text(given) + "=" + text(each)));
                    }
                });
        query.add(text(name) + "=" + text(value));
        request.header("Link", "<?" + String.join("&", query) + ">; rel=\"next\"");
        request.header("X-Next-Cursor", value);
    }

    private static String text(String raw) {
        return URLEncoder.encode(raw, StandardCharsets.UTF_8);
    }
}
