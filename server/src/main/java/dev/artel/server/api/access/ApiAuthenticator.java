package dev.artel.server.api.access;

import dev.artel.access.AccessControl;
import dev.artel.access.AuthDecision;
import dev.artel.access.Caller;
import dev.artel.access.Role;
import dev.artel.gateway.http.BearerToken;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.server.api.http.KnownParameters;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Lets requests of the client API in, or refuses them.
public final class ApiAuthenticator {
    /// Under this name a request carries who sent it, for logs.
    public static final String CALLER = "artel.caller";

    /// Under this name it carries what people call its token by, for logs.
    public static final String TOKEN = "artel.token";

    /// Under this name it carries its outcome, for the audit.
    public static final String DETAIL = "artel.audit.detail";

    private static final List<String> READING = List.of("GET", "HEAD");

    /// What clients of the first generation send instead of `Authorization`.
    private static final List<String> OF_OLD = List.of("X-Client-Token", "X-Avtomatika-Token");

    /// Under this name, when its token ends; null: never.
    public static final String EXPIRES = "artel.token.expires";

    private static final KnownParameters PARAMETERS = KnownParameters.described();

    private final AccessControl accessControl;

    /// One that lets in whom `accessControl` knows.
    public ApiAuthenticator(AccessControl accessControl) {
        this.accessControl = accessControl;
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
    /// @throws HttpRefusal if it may not go on, has a parameter that its route does not have, or two tokens
    public Caller admit(Context request) {
        return switch (accessControl.admit(tokenOf(request), String.valueOf(request.ip()))) {
            case AuthDecision.Refused refused -> throw refusal(refused);
            case AuthDecision.Admitted(var caller, var token) -> {
                request.attribute(TOKEN, token.id());
                request.attribute(EXPIRES, token.grant().expires().orElse(null));
                request.attribute(CALLER, caller.name());
                if (caller.role() == Role.VIEWER && !READING.contains(request.method().name())) {
                    throw forbidden(caller, "change anything");
                }
                PARAMETERS.check(request);
                yield caller;
            }
        };
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
