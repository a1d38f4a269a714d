package dev.artel.gateway.http;

import io.javalin.http.Context;
import java.util.List;
import java.util.Objects;
import org.eclipse.jetty.http.HttpFields;
import org.jspecify.annotations.Nullable;

/// The token of a request (RFC 6750): `Authorization: Bearer TOKEN`, or a header of its own that programs of the first
/// generation send.
public final class BearerToken {
    private static final String SCHEME = "Bearer ";

    /// Headers that hold nothing but a token.
    private static final List<String> ALL_OF_OLD =
            List.of("X-Client-Token", "X-Avtomatika-Token", "X-Worker-Token");

    private BearerToken() {}

    /// The token of `request`; null if it has none.
    ///
    /// @param ofOld headers that may hold it instead of `Authorization`
    /// @throws HttpRefusal if it has two that differ: which of them it means cannot be known
    public static @Nullable String of(Context request, List<String> ofOld) {
        var token = inAuthorization(request);
        for (var name : ofOld) {
            var other = only(request, name);
            if (other != null && token != null && !Objects.equals(token, other)) {
                throw new HttpRefusal(
                        ErrorCode.TOKENS_DISAGREE,
                        "Tokens disagree",
                        name
                                + " has another token than the header before it; send one, in"
                                + " Authorization: Bearer");
            }
            token = other == null ? token : other;
        }
        return token;
    }

    /// The token among `headers`, if they have one, or the same one twice; null if that takes a closer look.
    static @Nullable String sure(HttpFields headers, String ofOld) {
        var all = headers.getValuesList("Authorization");
        if (all.size() > 1) {
            return null;
        }
        var authorization = all.isEmpty() ? null : all.getFirst();
        var others = headers.getValuesList(ofOld);
        if (others.size() > 1) {
            return null;
        }
        var other = others.isEmpty() ? null : others.getFirst();
        if (authorization == null) {
            return other;
        }
        var token = token(authorization);
        return other == null || other.equals(token) ? token : null;
    }

    private static @Nullable String inAuthorization(Context request) {
        return token(only(request, "Authorization"));
    }

    /// The value of a header; null if the request has none.
    ///
    /// @throws HttpRefusal if it has several that differ
    private static @Nullable String only(Context request, String name) {
        var all = request.req().getHeaders(name);
        if (!all.hasMoreElements()) {
            return null;
        }
        var first = all.nextElement();
        while (all.hasMoreElements()) {
            if (!first.equals(all.nextElement())) {
                throw new HttpRefusal(
                        ErrorCode.TOKENS_DISAGREE,
                        "Tokens disagree",
                        "there are several headers " + name + " that differ; send one");
            }
        }
        return first;
    }

    private static @Nullable String token(@Nullable String authorization) {
        return authorization != null
                        && authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? authorization.substring(SCHEME.length()).strip()
                : null;
    }

    /// The `WWW-Authenticate` of the answer to a request that is refused for its token. Without one there is no error in
    /// it (RFC 6750, section 3.1).
    public static String challenge(Context request, int status) {
        var realm = "Bearer realm=\"artel\"";
        if (status == 400) {
            return realm + ", error=\"invalid_request\"";
        }
        var isGiven =
                token(request.header("Authorization")) != null
                        || ALL_OF_OLD.stream().anyMatch(name -> request.header(name) != null);
        return isGiven ? realm + ", error=\"invalid_token\"" : realm;
    }
}
