package dev.artel.server.api.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import io.javalin.http.Context;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Base64;
import java.util.Optional;
import java.util.OptionalLong;

/// Which page of a list a request asks for.
///
/// @param list its name: a cursor of one list is of no use for another
/// @param limit how many items at most
/// @param behind the place in the list behind which the page begins; empty: at its beginning
public record PageRequest(String list, int limit, Optional<String> behind) {
    /// How many items a page has if the request sets none.
    public static final int DEFAULT = 100;

    /// How many items a page has at most.
    public static final int MOST = 1000;

    private static final int LONGEST_CURSOR = 1000;

    /// The page of the parameters `limit` and `cursor`.
    ///
    /// @throws HttpRefusal if they make no sense
    public static PageRequest of(Context request, String list) {
        return of(request, list, DEFAULT);
    }

    /// The page of the parameters `limit` and `cursor`.
    ///
    /// @param otherwise how many items, where `limit` is not given
    /// @throws HttpRefusal if they make no sense
    public static PageRequest of(Context request, String list, int otherwise) {
        var limit = (int) Numbers.of(request, "limit", otherwise, 1, MOST);
        var cursor = Optional.ofNullable(request.queryParam("cursor"));
        return new PageRequest(list, limit, cursor.map(text -> place(list, text)));
    }

    /// This request, for a page of at most `other` items.
    public PageRequest withLimit(int other) {
        return new PageRequest(list, other, behind);
    }

    /// The text that stands for `place` in this list. People and programs are to hand it back as it is.
    public String cursor(String place) {
        var text = list + ":" + place;
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(UTF_8));
    }

    /// The text that stands for the place behind which there is more, if there is.
    public Optional<String> cursorBehind(OptionalLong place) {
        return place.isPresent()
                ? Optional.of(cursor(Long.toString(place.getAsLong())))
                : Optional.empty();
    }

    private static String place(String list, String cursor) {
        if (cursor.length() <= LONGEST_CURSOR) {
            try {
                var bytes = Base64.getUrlDecoder().decode(cursor);
                var text = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
                if (text.startsWith(list + ":")) {
                    return text.substring(list.length() + 1);
                }
            } catch (IllegalArgumentException | CharacterCodingException _) {
                // refused below
            }
        }
        throw invalid();
    }

    /// The place of a list whose places are numbers.
    ///
    /// @throws HttpRefusal if the cursor names none
    public OptionalLong number() {
        if (behind.isEmpty()) {
            return OptionalLong.empty();
        }
        try {
            var number = Long.parseLong(behind.get());
            if (number > 0 && number < Long.MAX_VALUE) {
                return OptionalLong.of(number);
            }
        } catch (NumberFormatException _) {
            // refused below
        }
        throw invalid();
    }

    /// The refusal of a cursor that no page of the list has given.
    public static HttpRefusal invalid() {
        return new HttpRefusal(
                ErrorCode.INVALID_CURSOR,
                "Invalid cursor parameter",
                "take it from next_cursor of the page before, of the same list");
    }
}
