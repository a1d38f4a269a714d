package dev.artel.server.api.http;

import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import io.javalin.http.Context;

/// Reads parameters that are `true` or `false`.
public final class Flags {
    private Flags() {}

    /// Whether the query parameter `name` is `true`; false where it is not given.
    ///
    /// @throws HttpRefusal if it is neither
    public static boolean of(Context request, String name) {
        var text = request.queryParam(name);
        return switch (text == null ? "false" : text) {
            case "true" -> true;
            case "false" -> false;
            default ->
                    throw new HttpRefusal(
                            ErrorCode.INVALID_PARAMETER,
                            "Invalid " + name + " parameter",
                            name + " is true or false");
        };
    }
}
