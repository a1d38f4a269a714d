package dev.artel.server.api.http;

import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import io.javalin.http.Context;

/// Reads whole numbers of queries and paths.
public final class Numbers {
    private Numbers() {}

    /// The query parameter `name`, from `min` to `max`.
    ///
    /// @param defaultValue the value where it is not given
    public static long of(Context request, String name, long defaultValue, long min, long max) {
        var text = request.queryParam(name);
        if (text == null) {
            return defaultValue;
        }
        try {
            var number = Long.parseLong(text);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException _) {
            // reported below
        }
        throw new HttpRefusal(
                ErrorCode.INVALID_PARAMETER,
                name.equals("limit") || name.equals("offset")
                        ? "Invalid limit/offset parameter"
                        : "Invalid " + name + " parameter",
                name + " is a whole number from " + min + " to " + max);
    }

    /// The number that `text` is, below `size`; -1 if it is none.
    public static int among(String text, int size) {
        try {
            var number = Integer.parseInt(text);
            return number >= 0 && number < size ? number : -1;
        } catch (NumberFormatException none) {
            return -1;
        }
    }
}
