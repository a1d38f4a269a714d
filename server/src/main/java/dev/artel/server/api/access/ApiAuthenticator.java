package dev.artel.server.api.access;

import dev.artel.access.AccessControl;
import dev.artel.access.AuthDecision;
import dev.artel.access.Caller;
import dev.artel.access.Role;
import dev.artel.gateway.http.BearerToken;
import dev.artel.gateway.http.BodyRoom;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.server.api.http.KnownParameters;
import dev.artel.server.feed.OpenStreams;
import dev.artel.tokens.TokenDigest;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Lets requests of the client API in, or refuses them.
public final class ApiAuthenticator {
    /// Under this name a request carries who sent it, for logs.
    public static final String CALLER = "artel.caller";

    /// Under this name it carries what people call its token by, for logs.
    public static final String TOKEN = "artel.token";

    /// Under this name it carries its outcome, for the audit.
    public static final String DETAIL = "artel.audit.detail";

    /// Under this name it carries that it has changed nothing, so that it is no line of the audit; null: it may have.
    public static final String UNCHANGED = "artel.audit.unchanged";

    private static final List<String> READING = List.of("GET", "HEAD");

    /// What clients of the first generation send instead of `Authorization`.
    private static final List<String> OF_OLD = List.of("X-Client-Token", "X-Avtomatika-Token");

    /// Under this name, when its token ends; null: never.
    public static final String EXPIRES = OpenStreams.EXPIRES;

    /// Under this name it carries by way of what its sender acts, for logs; null: with a token.
    public static final String VIA = "artel.via";

    /// Under this name it carries the [TokenDigest] that is the id of its session; null: it has none.
    public static final String SESSION = OpenStreams.SESSION;

    private static final String DASHBOARD = "dashboard";

    private static final KnownParameters PARAMETERS = KnownParameters.described();

    private final AccessControl accessControl;
    private final DashboardSessions sessions;
    private final OwnPages ownPages;

    /// One that lets in whom `accessControl` knows, and those of `sessions`.
    ///
    /// @param publicUrl where browsers reach the orchestrator, if a proxy is in front of it
    public ApiAuthenticator(
            AccessControl accessControl, DashboardSessions sessions, Optional<String> publicUrl) {
        this.accessControl = accessControl;
        this.sessions = sessions;
        this.ownPages = new OwnPages(publicUrl);
    }

    /// A request has changed nothing: however often it is sent, the audit has no line of it.
    public static void changesNothing(Context request) {
        request.attribute(UNCHANGED, true);
    }

    /// A request of a known client.
    @FunctionalInterface
    public interface Known {
        void handle(Context request, Caller caller) throws Exception;
    }

    /// What finds out whose request it is before it handles it.
    public Handler known(Known handler) {
        return request -> handler.handle(request, admit(request));
    }

    /// What lets operators in alone before it handles their requests.
    public Handler operated(Known handler) {
        return request -> handler.handle(request, admitOperator(request));
    }

    /// Whose request it is.
    ///
    /// @throws HttpRefusal if it may not go on, has a parameter that its route does not have, two tokens, or a cookie
    ///     without what shows that it comes from the dashboard
    public Caller admit(Context request) {
        var caller = authenticate(request);
        if (caller.role() == Role.VIEWER && !isReading(request)) {
            throw forbidden(caller, "change anything");
        }
        return caller;
    }

    /// As [#admit], for what each role may do.
    public Caller authenticate(Context request) {
        var token = tokenOf(request);
        var cookie = SessionCookie.of(request);
        var caller =
                token == null && cookie != null
                        ? bySession(request, cookie)
                        : admitted(request, accessControl.admit(token, from(request)));
        PARAMETERS.check(request);
        return caller;
    }

    private static boolean isReading(Context request) {
        return READING.contains(request.method().name());
    }

    private static String from(Context request) {
        return String.valueOf(request.ip());
    }

    private static Caller admitted(Context request, AuthDecision decision) {
        return switch (decision) {
            case AuthDecision.Refused refused -> throw refusal(refused);
            case AuthDecision.Admitted(var caller, var token) -> {
                request.attribute(TOKEN, token.id());
                request.attribute(EXPIRES, token.grant().expires().orElse(null));
                request.attribute(CALLER, caller.name());
                request.attribute(BodyRoom.OWNER, "client " + caller.name());
                yield caller;
            }
        };
    }

    private Caller bySession(Context request, String cookie) {
        var session =
                sessions.use(cookie)
                        .orElseThrow(() ->
                                refusal(
                                        accessControl.refuse(
                                                from(request),
                                                "Unauthorized: The session has ended",
                                                "log in at the dashboard again")));
        var decision = accessControl.admit(session.token(), from(request));
        if (decision instanceof AuthDecision.Refused(var status, _, _, _) && status == 401) {
            sessions.end(session.id());
        }
        var caller = admitted(request, decision);
        in(request, session);
        if (!isReading(request)) {
            ownPages.checkSession(request, session.csrf());
        }
        return caller;
    }

    private static void in(Context request, DashboardSessions.Open session) {
        request.attribute(VIA, DASHBOARD);
        request.attribute(SESSION, session.id());
        // The next person at the browser finds nothing in its cache.
        request.header("Cache-Control", "no-store");
    }

    /// Whether `request` has a token, good or not, or a session that is open.
    public boolean isLoggedIn(Context request) {
        var cookie = SessionCookie.of(request);
        return tokenOf(request) != null || (cookie != null && sessions.use(cookie).isPresent());
    }

    /// The session of a `request` that was let in; empty if it came with a token.
    public Optional<DashboardSessions.Open> session(Context request) {
        TokenDigest id = request.attribute(SESSION);
        return id == null ? Optional.empty() : sessions.use(id);
    }

    /// Who has logged in.
    ///
    /// @param begun the session, with the cookie that the browser is to keep
    public record Login(Caller caller, DashboardSessions.Begun begun) {}

    /// Begins a session of the client to whom `token` belongs.
    ///
    /// @throws HttpRefusal if it is not good, or the request is from a page of elsewhere
    public Login logIn(Context request, String token) {
        return logIn(request, TokenDigest.of(token));
    }

    /// Begins a session of the client for whom `code` was made.
    ///
    /// @throws HttpRefusal if it is not good, the request is from a page of elsewhere, or it has the cookie of a session of another
    ///     client without what shows that the person at the browser agrees
    public Login redeem(Context request, String code) {
        ownPages.checkOrigin(request);
        checkReplaces(request, code);
        return logIn(request, sessions.redeem(code).orElseThrow(() -> noCode(request)));
    }

    /// The client for whom `code` was made, which can still be used.
    ///
    /// @throws HttpRefusal if it is not good, or the request is from a page of elsewhere
    public Caller clientOf(Context request, String code) {
        ownPages.checkOrigin(request);
        var token = sessions.tokenOf(code).orElseThrow(() -> noCode(request));
        return admitted(request, accessControl.admit(token, from(request)));
    }

    private HttpRefusal noCode(Context request) {
        return refusal(
                accessControl.refuse(
                        from(request),
                        "Unauthorized: Invalid code",
                        "a code works once, and for a few minutes; make another one with ./artel"
                                + " dashboard, or log in with a token"));
    }

    /// A link that somebody else made must not have a person act as another client without knowing.
    private void checkReplaces(Context request, String code) {
        var cookie = SessionCookie.of(request);
        var open = cookie == null ? Optional.<DashboardSessions.Open>empty() : sessions.use(cookie);
        if (open.isEmpty() || OwnPages.repeats(request, open.get().csrf())) {
            return;
        }
        if (sessions.tokenOf(code).filter(of -> !of.equals(open.get().token())).isPresent()) {
            throw new HttpRefusal(
                    ErrorCode.SESSION_OPEN,
                    "Another client is logged in at this browser",
                    "the code is one of another client, and still good; log out before, or send the csrf of the"
                            + " open session, as GET /ui/session returns it, in the header "
                            + OwnPages.HEADER);
        }
    }

    private Login logIn(Context request, TokenDigest token) {
        ownPages.checkOrigin(request);
        var caller = admitted(request, accessControl.admit(token, from(request)));
        var begun = sessions.begin(token);
        var earlier = SessionCookie.of(request);
        if (earlier != null) {
            sessions.end(TokenDigest.of(earlier));
        }
        in(request, begun.session());
        return new Login(caller, begun);
    }

    /// The token of `request`, or that with which its session began, as its digest.
    ///
    /// @throws HttpRefusal if it may not go on
    public TokenDigest tokenDigest(Context request) {
        var _ = authenticate(request);
        return session(request)
                .map(DashboardSessions.Open::token)
                .orElseGet(() -> TokenDigest.of(String.valueOf(tokenOf(request))));
    }

    /// Refuses a request with a parameter that its route does not have.
    ///
    /// @throws HttpRefusal if the address of `request` has a parameter that its route does not have
    public static void checkParameters(Context request) {
        PARAMETERS.check(request);
    }

    /// Lets a sender in that has no token of a client, not too often from one address.
    ///
    /// @throws HttpRefusal if it is too often, or the address has a parameter that its route does not have
    public void admitStranger(Context request) {
        accessControl
                .admitStranger(String.valueOf(request.ip()))
                .ifPresent(refused -> {
                    throw refusal(refused);
                });
        checkParameters(request);
    }

    /// Whose request it is, who operates the orchestrator.
    ///
    /// @throws HttpRefusal if it may not go on
    public Caller admitOperator(Context request) {
        var caller = admit(request);
        if (!caller.mayOperate()) {
            throw forbidden(caller, "operate the orchestrator");
        }
        return caller;
    }

    /// Takes `jobs` from the quota of `caller`.
    ///
    /// @throws HttpRefusal if so many are not left
    public void spend(Caller caller, int jobs) {
        accessControl
                .spend(caller, jobs)
                .ifPresent(refused -> {
                    throw refusal(refused);
                });
    }

    /// Takes one request of the rate of `caller` for each of `most` jobs, or for as many as are left.
    ///
    /// @return how many jobs may be reached, at least 1
    /// @throws HttpRefusal if none may now
    public int takeForJobs(Caller caller, int most) {
        return switch (accessControl.takeForJobs(caller, most)) {
            case AccessControl.Share.Of(var jobs) -> jobs;
            case AccessControl.Share.Nothing(var refused) -> throw refusal(refused);
        };
    }

    /// So many of those jobs were not reached.
    public void giveBackForJobs(Caller caller, int jobs) {
        accessControl.giveBackForJobs(caller, jobs);
    }

    /// Jobs were not made after all.
    public void giveBack(Caller caller, int jobs) {
        accessControl.giveBack(caller, jobs);
    }

    private static HttpRefusal refusal(AuthDecision.Refused refused) {
        var detail = refused.detail().isEmpty() ? null : refused.detail();
        if (refused.retryAfter().isPresent()) {
            return HttpRefusal.later(
                    ErrorCode.of(refused.status()),
                    refused.retryAfter().get(),
                    refused.error(),
                    detail);
        }
        return detail == null
                ? new HttpRefusal(ErrorCode.of(refused.status()), refused.error())
                : new HttpRefusal(ErrorCode.of(refused.status()), refused.error(), detail);
    }

    private static HttpRefusal forbidden(Caller caller, String what) {
        return new HttpRefusal(
                ErrorCode.FORBIDDEN,
                "Forbidden: client '"
                        + caller.name()
                        + "' with the role "
                        + caller.role()
                        + " cannot "
                        + what
                        + ".");
    }

    private static @Nullable String tokenOf(Context request) {
        return BearerToken.of(request, OF_OLD);
    }
}
