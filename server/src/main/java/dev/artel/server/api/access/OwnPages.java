package dev.artel.server.api.access;

import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Refuses requests that a page from elsewhere has a browser send (cross-site request forgery): a browser adds the cookie
/// of a session by itself, but a page from elsewhere can neither read the token of the session nor hide where it is from.
final class OwnPages {
    /// The header that repeats the token of the session.
    static final String HEADER = "X-Artel-CSRF";

    private static final Pattern ORIGIN = Pattern.compile("(https?)://([^/]+)");

    private final Optional<String> publicUrl;

    /// @param publicUrl where browsers reach the orchestrator, if a proxy is in front of it
    OwnPages(Optional<String> publicUrl) {
        this.publicUrl = publicUrl;
    }

    /// Lets a request of a session go on that changes something.
    ///
    /// @throws HttpRefusal if it does not repeat `csrf`, or is not from a page of this orchestrator
    void checkSession(Context request, String csrf) {
        if (!repeats(request, csrf)) {
            throw refused(
                    "requests of a session that are not GET or HEAD send its csrf, as GET /ui/session"
                            + " returns it, in the header "
                            + HEADER);
        }
        if (origin(request) == null && site(request) == null) {
            throw refused(
                    "requests of a session that are not GET or HEAD have an Origin or a Sec-Fetch-Site,"
                            + " which browsers send; programs send a token in Authorization: Bearer");
        }
        checkOrigin(request);
    }

    /// Whether `request` repeats `csrf`.
    static boolean repeats(Context request, String csrf) {
        var given = String.valueOf(request.header(HEADER));
        return MessageDigest.isEqual(
                given.getBytes(StandardCharsets.UTF_8), csrf.getBytes(StandardCharsets.UTF_8));
    }

    /// Lets a request go on that is from a page of this orchestrator, or from no page at all.
    ///
    /// @throws HttpRefusal if it is from another page
    void checkOrigin(Context request) {
        var origin = origin(request);
        if (origin != null && !isOwn(request, origin)) {
            throw refused(
                    "the request is from a page of "
                            + origin
                            + "; where a proxy changes the address, set proxy.public-url to the one"
                            + " that browsers see");
        }
        var site = site(request);
        if (site != null && !site.equals("same-origin") && !site.equals("none")) {
            throw refused("the request is from a page of elsewhere (Sec-Fetch-Site: " + site + ")");
        }
    }

    private static @Nullable String origin(Context request) {
        return request.header("Origin");
    }

    private static @Nullable String site(Context request) {
        return request.header("Sec-Fetch-Site");
    }

    private boolean isOwn(Context request, String origin) {
        if (publicUrl.filter(origin::equalsIgnoreCase).isPresent()) {
            return true;
        }
        var parts = ORIGIN.matcher(origin);
        if (!parts.matches() || (request.req().isSecure() && !parts.group(1).equals("https"))) {
            return false;
        }
        var authority = parts.group(2);
        var name = request.req().getServerName();
        var port = request.req().getServerPort();
        var isDefault = port == (parts.group(1).equals("https") ? 443 : 80);
        return authority.equalsIgnoreCase(request.header("Host"))
                || (isDefault && authority.equalsIgnoreCase(name))
                || authority.equalsIgnoreCase(name + ":" + port);
    }

    private static HttpRefusal refused(String detail) {
        return new HttpRefusal(
                ErrorCode.CSRF_REFUSED, "Not a request of a page of this orchestrator", detail);
    }
}
