package dev.artel.server.api.dashboard;

import dev.artel.access.Caller;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonObject;
import dev.artel.server.api.access.ApiAuthenticator;
import dev.artel.server.api.access.DashboardSessions;
import dev.artel.server.api.access.SessionCookie;
import dev.artel.server.api.http.Answers;
import dev.artel.server.api.http.ApiJson;
import dev.artel.server.api.http.Bodies;
import dev.artel.tokens.TokenDigest;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.function.Supplier;

/// Logs people in at the dashboard and out of it, and makes the codes with which they log in.
public final class SessionRoutes {
    private static final String PATH = "/ui/session";
    private static final String NO_STORE = "no-store";

    private final ApiAuthenticator apiAuthenticator;
    private final DashboardSessions sessions;
    private final Supplier<String> address;
    private final Bodies bodies = new Bodies(16 << 10);

    /// Routes for `sessions`.
    ///
    /// @param address where browsers reach the orchestrator, with the base path and without a slash at its end
    public SessionRoutes(
            ApiAuthenticator apiAuthenticator,
            DashboardSessions sessions,
            Supplier<String> address) {
        this.apiAuthenticator = apiAuthenticator;
        this.sessions = sessions;
        this.address = address;
    }

    /// Adds the routes.
    public void mount(RoutesConfig routes) {
        routes.post(PATH, this::logIn);
        routes.get(PATH, this::show);
        routes.delete(PATH, this::logOut);
        routes.post(PATH + "/links", this::link);
        routes.post(PATH + "/links/look", this::look);
    }

    private void logIn(Context request) {
        ApiAuthenticator.checkParameters(request);
        var body = bodies.object(request, List.of("token", "code"));
        if (body.names().size() != 1) {
            throw new HttpRefusal(
                    ErrorCode.INVALID_BODY,
                    "Token or code",
                    "send {\"token\": ...} with the token of a client, or {\"code\": ...} with the code of a"
                            + " link");
        }
        var title = "Invalid token or code";
        var login =
                body.has("token")
                        ? apiAuthenticator.logIn(request, Bodies.text(body, "token", "", title))
                        : apiAuthenticator.redeem(request, Bodies.text(body, "code", "", title));
        request.header("Cache-Control", NO_STORE);
        SessionCookie.keep(request, login.begun().cookie());
        Answers.json(request, 200, shown(login.caller(), login.begun().session()));
    }

    private void show(Context request) {
        if (!apiAuthenticator.isLoggedIn(request)) {
            // Each page that is opened asks; that is no guess at a token.
            apiAuthenticator.admitStranger(request);
            throw new HttpRefusal(
                    ErrorCode.UNAUTHENTICATED,
                    "Not logged in",
                    "POST /ui/session with the token of a client logs in");
        }
        var caller = apiAuthenticator.authenticate(request);
        request.header("Cache-Control", NO_STORE);
        Answers.json(
                request,
                200,
                apiAuthenticator
                        .session(request)
                        .map(open -> shown(caller, open))
                        .orElseGet(() -> shown(caller).build()));
    }

    private void logOut(Context request) {
        var _ = apiAuthenticator.authenticate(request);
        TokenDigest session = request.attribute(ApiAuthenticator.SESSION);
        if (session != null) {
            sessions.end(session);
        }
        request.header("Cache-Control", NO_STORE);
        SessionCookie.drop(request);
        request.status(204);
    }

    private void link(Context request) {
        var token = apiAuthenticator.tokenDigest(request);
        var code = sessions.link(token);
        request.header("Cache-Control", NO_STORE);
        Answers.json(
                request,
                200,
                JsonObject.builder()
                        .put("url", url(address.get(), code))
                        .put("expires_at", ApiJson.of(code.expires()))
                        .build());
    }

    /// What the page asks before it logs a person in whom somebody may have sent the link.
    private void look(Context request) {
        ApiAuthenticator.changesNothing(request);
        ApiAuthenticator.checkParameters(request);
        var body = bodies.object(request, List.of("code"));
        if (!body.has("code")) {
            throw new HttpRefusal(
                    ErrorCode.INVALID_BODY, "Code", "send {\"code\": ...} with the code of a link");
        }
        var code = Bodies.text(body, "code", "", "Invalid code");
        request.header("Cache-Control", NO_STORE);
        Answers.json(request, 200, shown(apiAuthenticator.clientOf(request, code)).build());
    }

    /// The address of the dashboard that logs in with `code`. What stands behind `#` no browser sends, so that no log of a
    /// proxy has it.
    public static String url(String address, DashboardSessions.Code code) {
        return address + "/#code=" + code.code();
    }

    private static JsonObject.Builder shown(Caller caller) {
        return JsonObject.builder()
                .put("client", caller.name())
                .put("role", caller.role().toString());
    }

    private static JsonObject shown(Caller caller, DashboardSessions.Open session) {
        return shown(caller)
                .put("csrf", session.csrf())
                .put("expires_at", ApiJson.of(session.ends()))
                .build();
    }
}
