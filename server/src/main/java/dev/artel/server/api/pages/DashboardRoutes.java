package dev.artel.server.api.pages;

import dev.artel.dashboard.DashboardFile;
import dev.artel.dashboard.DashboardFiles;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.server.api.access.ApiAuthenticator;
import dev.artel.server.api.http.FixedAnswer;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Serves the dashboard: the page at `/`, and its files below `/ui/DIGEST`, which browsers keep forever.
///
/// Needs no token: the files are the same for everybody, and what they show comes from the API, which asks for one.
public final class DashboardRoutes {
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                    + " connect-src 'self'; font-src 'self'; frame-ancestors 'none'; base-uri"
                    + " 'none'; form-action 'self'";

    /// A year, as long as anything is kept.
    private static final String KEPT = "public, max-age=31536000, immutable";

    private static final String ASKED_AGAIN = "no-cache";

    private final DashboardFiles files;

    /// By the path of a file, of which there are a few.
    private final Map<String, FixedAnswer> answers = new ConcurrentHashMap<>();

    /// Routes for `files`.
    public DashboardRoutes(DashboardFiles files) {
        this.files = files;
    }

    /// Adds the routes.
    public void mount(RoutesConfig routes) {
        routes.get("/", this::page);
        routes.get("/ui/{digest}/{file}", request -> file(request, name(request, "file")));
        routes.get(
                "/ui/{digest}/{folder}/{file}",
                request -> file(request, name(request, "folder") + "/" + name(request, "file")));
        routes.get(
                "/ui/{digest}/{folder}/{part}/{file}",
                request ->
                        file(
                                request,
                                name(request, "folder")
                                        + "/"
                                        + name(request, "part")
                                        + "/"
                                        + name(request, "file")));
    }

    private static String name(Context request, String parameter) {
        return request.pathParam(parameter);
    }

    private void page(Context request) {
        ApiAuthenticator.checkParameters(request);
        answer(request, files.page(), ASKED_AGAIN);
    }

    private void file(Context request, String path) {
        ApiAuthenticator.checkParameters(request);
        var found = files.find(path);
        if (found.isEmpty() || !request.pathParam("digest").equals(files.digest())) {
            throw new HttpRefusal(
                    ErrorCode.NOT_FOUND,
                    "File not found",
                    "the dashboard of this version has no such file; reload the page");
        }
        answer(request, found.get(), KEPT);
    }

    private void answer(Context request, DashboardFile file, String kept) {
        var tag = "\"" + file.digest() + "\"";
        request.header("Cache-Control", kept);
        request.header("ETag", tag);
        request.header("Vary", "Accept-Encoding");
        request.header("Content-Security-Policy", POLICY);
        request.header("X-Content-Type-Options", "nosniff");
        request.header("X-Frame-Options", "DENY");
        request.header("Referrer-Policy", "no-referrer");
        request.header("Cross-Origin-Opener-Policy", "same-origin");
        if (tag.equals(request.header("If-None-Match"))) {
            request.status(304);
            return;
        }
        if (file.type().startsWith("font/")) {
            request.disableCompression(); // it is compressed already
            request.contentType(file.type()).result(file.content());
        } else {
            answers.computeIfAbsent(file.path(), _ -> new FixedAnswer(file.type(), file.content()))
                    .answer(request);
        }
    }
}
