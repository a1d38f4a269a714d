package dev.artel.server;

import dev.artel.config.LogSettings;
import dev.artel.config.ServerConfig;
import dev.artel.server.logs.ProgramLog;
import dev.artel.server.samples.SampleBlueprints;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// Runs an orchestrator in an empty folder, lets it do one of each thing and ends, so that a JVM that watches
/// (`-XX:AOTCacheOutput`) learns which classes and methods a start needs.
public final class AotTraining {
    private static final int TIMEOUT_MILLIS = 30_000;

    private AotTraining() {}

    /// Does it and ends.
    ///
    /// @param arguments the folder
    public static void main(String[] arguments) throws IOException {
        ProgramLog.begin(LogSettings.DEFAULTS);
        var config = ServerConfig.DEFAULTS.withPort(0).withData(Path.of(arguments[0]));
        try (var node = ArtelNode.start(config, SampleBlueprints.all())) {
            var client = node.clientToken();
            var worker = node.workerToken();
            ask(node.uri(), "GET", "/readyz", "", "");
            ask(
                    node.uri(),
                    "POST",
                    "/_worker/workers/register",
                    worker,
                    "{\"worker_id\":\"w\",\"supported_tasks\":[\"echo\"]}");
            ask(node.uri(), "POST", "/api/v1/jobs", client, "{\"blueprint\":\"echo\"}");
            ask(node.uri(), "GET", "/_worker/workers/w/tasks/next", worker, "");
            ask(node.uri(), "GET", "/api/v1/jobs", client, "");
            ask(node.uri(), "GET", "/metrics", "", "");
        }
    }

    private static void ask(URI root, String method, String path, String token, String body)
            throws IOException {
        var connection = (HttpURLConnection) root.resolve(path).toURL().openConnection();
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        connection.setRequestMethod(method);
        connection.setRequestProperty("Authorization", "Bearer " + token);
        if (!body.isEmpty()) {
            connection.setDoOutput(true);
            connection.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
        }
        var isGood = connection.getResponseCode() < 400;
        try (InputStream in = isGood ? connection.getInputStream() : connection.getErrorStream()) {
            if (in != null) {
                in.transferTo(java.io.OutputStream.nullOutputStream());
            }
        }
    }
}
