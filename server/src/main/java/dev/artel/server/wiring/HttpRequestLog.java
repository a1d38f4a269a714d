package dev.artel.server.wiring;

import dev.artel.config.LogRetention;
import dev.artel.config.LogSettings;
import dev.artel.json.JsonObject;
import dev.artel.server.api.access.ApiAuthenticator;
import dev.artel.server.api.admin.AuditLines;
import dev.artel.server.api.http.ShownPath;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.RequestLog;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.NanoTime;
import org.jspecify.annotations.Nullable;

/// Writes down requests, who has changed what, and - in a file of its own, so that no other lines push those out - whose
/// changes were refused. Neither bodies nor queries nor headers that could hold a secret.
///
/// Submissions are no lines of the audit: each job names its client for as long as it is kept. Neither are requests that have changed nothing,
/// which a client can send without end.
final class HttpRequestLog implements RequestLog, AutoCloseable {
    /// Of requests no more than this is kept, of whatever age.
    private static final LogRetention OF_REQUESTS =
            new LogRetention(Duration.ofDays(36_500), 384L << 20);

    private static final String AUDIT = "audit.jsonl";
    private static final String REFUSED = "refused.jsonl";
    private static final int REFUSAL = 400;
    private static final int LONGEST_PATH = 300;
    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");
    private static final Pattern SUBMISSION = Pattern.compile(".*/api(/v1)?/(jobs(/[^/]+)?|bulk)");
    private static final Pattern OF_CLIENTS = Pattern.compile("(/[^_].*)?/(api|ui|_public)/.*");

    private final InstantSource clock;
    private final AuditLines auditLines;
    private final @Nullable JsonLines access;
    private final @Nullable JsonLines audit;

    private final @Nullable JsonLines refused;

    private HttpRequestLog(
            InstantSource clock,
            AuditLines auditLines,
            @Nullable JsonLines access,
            @Nullable JsonLines audit,
            @Nullable JsonLines refused) {
        this.clock = clock;
        this.auditLines = auditLines;
        this.access = access;
        this.audit = audit;
        this.refused = refused;
    }

    /// Begins to write.
    ///
    /// @param folder where the audit is written unless the settings name another; empty: then nowhere
    /// @throws StartupException if a file cannot be written
    static HttpRequestLog open(LogSettings settings, Optional<Path> folder, InstantSource clock) {
        var access =
                settings.access()
                        .map(file -> JsonLines.open(file, OF_REQUESTS, clock))
                        .orElse(null);
        var file = settings.audit().or(() -> folder.map(each -> each.resolve(AUDIT)));
        var audit = file.map(each -> JsonLines.open(each, settings.kept(), clock)).orElse(null);
        var refused =
                file.map(each ->
                                JsonLines.open(
                                        each.toAbsolutePath().resolveSibling(REFUSED),
                                        settings.kept(),
                                        clock))
                        .orElse(null);
        var lines = file.<AuditLines>map(AuditReader::new).orElse(AuditLines.NONE);
        return new HttpRequestLog(clock, lines, access, audit, refused);
    }

    /// The audit, for those who read it.
    AuditLines auditLines() {
        return auditLines;
    }

    @Override
    public void log(Request request, Response response) {
        var caller = request.getAttribute("artel.caller");
        if (access != null) {
            var line = line(request, response, caller);
            line.put("bytes", Response.getContentBytesWritten(response));
            line.put("millis", NanoTime.millisSince(request.getBeginNanoTime()));
            var agent = request.getHeaders().get(HttpHeader.USER_AGENT);
            if (agent != null) {
                line.put("agent", agent);
            }
            access.add(line.build());
        }
        var changes = response.getStatus() < REFUSAL ? audit : refused;
        if (changes != null && caller != null && isChange(request, response)) {
            var line = line(request, response, caller);
            var detail = request.getAttribute(ApiAuthenticator.DETAIL);
            if (detail != null) {
                line.put("detail", detail.toString());
            }
            changes.add(line.build());
        }
    }

    private static boolean isChange(Request request, Response response) {
        var isUnchanged =
                response.getStatus() < REFUSAL
                        && request.getAttribute(ApiAuthenticator.UNCHANGED) != null;
        var path = String.valueOf(request.getHttpURI().getPath());
        return !isUnchanged
                && !READING.contains(request.getMethod())
                && OF_CLIENTS.matcher(path).matches()
                && !(request.getMethod().equals("POST") && SUBMISSION.matcher(path).matches());
    }

    private JsonObject.Builder line(Request request, Response response, @Nullable Object caller) {
        var line =
                JsonObject.builder()
                        .put("at", clock.instant().toString())
                        .put("request", String.valueOf(request.getAttribute(RequestIds.ATTRIBUTE)))
                        .put("from", Request.getRemoteAddr(request));
        if (caller != null) {
            line.put("caller", caller.toString());
        }
        var token = request.getAttribute("artel.token");
        if (token != null) {
            line.put("token", token.toString());
        }
        var via = request.getAttribute("artel.via");
        if (via != null) {
            line.put("via", via.toString());
        }
        return line.put("method", request.getMethod())
                .put("path", bounded(ShownPath.of(String.valueOf(request.getHttpURI().getPath()))))
                .put("status", response.getStatus());
    }

    private static String bounded(String path) {
        return path.length() <= LONGEST_PATH ? path : path.substring(0, LONGEST_PATH) + "...";
    }

    /// Something was done that is no request.
    void done(String what, String detail) {
        done("the system", what, detail);
    }

    /// An action that is no request, or that is named in the body of a request alone.
    void done(String who, String what, String detail) {
        if (audit != null) {
            audit.add(
                    JsonObject.builder()
                            .put("at", clock.instant().toString())
                            .put("caller", who)
                            .put("act", what)
                            .put("detail", detail)
                            .build());
        }
    }

    @Override
    public void close() {
        if (access != null) {
            access.close();
        }
        if (audit != null) {
            audit.close();
        }
        if (refused != null) {
            refused.close();
        }
    }
}
