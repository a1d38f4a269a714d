package dev.artel.server.api.access;

import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

/// The cookie in which a browser keeps the secret of a session.
///
/// Over HTTPS its name has the prefix `__Host-`: browsers take such a cookie only over HTTPS, from this very host and for all of its
/// paths (RFC 6265bis section 4.1.3.2), so that no other host of the domain, and no answer without HTTPS, can put one there.
public final class SessionCookie {
    private static final String NAME = "artel_session";
    private static final String NAME_OVER_HTTPS = "__Host-" + NAME;
    private static final String HTTPS = "https://";

    private SessionCookie() {}

    /// The secret that `request` has; null if it has none. Over HTTPS only the cookie with the prefix counts.
    public static @Nullable String of(Context request) {
        var overHttps = request.cookie(NAME_OVER_HTTPS);
        return overHttps != null || request.req().isSecure() ? overHttps : request.cookie(NAME);
    }

    /// Has the browser keep `secret`.
    public static void keep(Context request, String secret) {
        set(request, secret, "");
    }

    /// Has the browser forget what it has.
    public static void drop(Context request) {
        set(request, "", "; Max-Age=0");
    }

    private static void set(Context request, String secret, String more) {
        // A proxy that ends HTTPS does not always name that, but browsers do.
        var isOverHttps =
                request.req().isSecure()
                        || String.valueOf(request.header("Origin")).startsWith(HTTPS);
        request.header(
                "Set-Cookie",
                (isOverHttps ? NAME_OVER_HTTPS : NAME)
                        + "="
                        + secret
                        + "; Path=/; HttpOnly; SameSite=Strict"
                        + (isOverHttps ? "; Secure" : "")
                        + more);
    }
}
