package dev.artel.server.api.http;

import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonObject;
import io.javalin.http.Context;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Which members of a document a client wants.
///
/// @param names none: all
public record Selection(Set<String> names) {
    /// The selection of the query parameter `fields`.
    ///
    /// @param known the members that there can be
    /// @throws HttpRefusal if it names another
    public static Selection of(Context request, List<String> known) {
        var names = new LinkedHashSet<String>();
        for (var list : request.queryParams("fields")) {
            for (var part : list.split(",", -1)) {
                var name = part.strip();
                if (!known.contains(name)) {
                    throw new HttpRefusal(
                            ErrorCode.INVALID_PARAMETER,
                            "Invalid fields parameter",
                            "there is no field '" + shortened(name) + "'; there are " + known);
                }
                names.add(name);
            }
        }
        return new Selection(names);
    }

    /// Whether nothing but some of `others` is wanted.
    public boolean isAllOf(List<String> others) {
        return !names.isEmpty() && new HashSet<>(others).containsAll(names);
    }

    /// Whether `name` is wanted.
    public boolean has(String name) {
        return names.isEmpty() || names.contains(name);
    }

    /// What is wanted of `document`, in its order.
    public JsonObject from(JsonObject document) {
        if (names.isEmpty()) {
            return document;
        }
        var some = JsonObject.builder();
        for (var name : document.names()) {
            if (names.contains(name)) {
                document.late(name)
                        .ifPresentOrElse(
                                text -> some.put(name, text),
                                () -> some.put(name, document.get(name).orElseThrow()));
            }
        }
        return some.build();
    }

    private static String shortened(String name) {
        return name.length() > 40 ? name.substring(0, 40) + "..." : name;
    }
}
