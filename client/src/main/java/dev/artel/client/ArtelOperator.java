package dev.artel.client;

import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// What operators do with an orchestrator: pauses of blueprints and clients, and jars of blueprints. Every call blocks, and is tried again, as those
/// of its [ArtelClient], whose connections it uses. Safe for use by many threads.
public final class ArtelOperator {
    private static final String PAUSES = "/api/v1/admin/pauses";
    private static final String CARDS = "/api/v1/admin/cards";
    private static final Map<String, String> CARD = Map.of("Content-Type", "application/yaml");
    private static final String JARS = "/api/v1/admin/jars";
    private static final Map<String, String> JAR =
            Map.of(HttpTransport.CONTENT_TYPE, "application/java-archive");

    private final ArtelClient client;
    private final HttpTransport httpTransport;

    ArtelOperator(ArtelClient client, HttpTransport httpTransport) {
        this.client = client;
        this.httpTransport = httpTransport;
    }

    /// The blueprints and clients whose new jobs begin paused.
    ///
    /// @throws ClientException which states what to do next
    public List<PauseView> pauses() {
        return client.all("listing the pauses", PAUSES).map(PauseView::of).toList();
    }

    /// Lets all jobs of a blueprint that are submitted from now on begin paused, also as children of others, until [#unpauseBlueprint]. Those that
    /// live go on; [ArtelClient#pauseAll] pauses them. The blueprint need not be known yet.
    ///
    /// @param reason why, for the others; 1 to 2000 characters
    /// @throws ClientException which states what to do next
    public PauseView pauseBlueprint(String name, String reason) {
        return pause("blueprints", name, reason);
    }

    /// As [#pauseBlueprint], for the jobs of a client.
    ///
    /// @param reason why, for the others; 1 to 2000 characters
    /// @throws ClientException which states what to do next
    public PauseView pauseClient(String name, String reason) {
        return pause("clients", name, reason);
    }

    private PauseView pause(String scope, String name, String reason) {
        var attempted = "pausing " + scope + " " + name;
        return PauseView.of(
                httpTransport
                        .done(
                                attempted,
                                "PUT",
                                path(scope, name),
                                JsonText.write(JsonObject.of("reason", JsonValue.of(reason))))
                        .object(attempted));
    }

    /// Lets new jobs of a blueprint begin as ever. Those that began paused wait until they are resumed: [ArtelClient#resumeAll].
    ///
    /// @return whether it was paused; a lost answer may make this false
    /// @throws ClientException which states what to do next
    public boolean unpauseBlueprint(String name) {
        return unpause("blueprints", name);
    }

    /// As [#unpauseBlueprint], for a client.
    ///
    /// @return whether it was paused; a lost answer may make this false
    /// @throws ClientException which states what to do next
    public boolean unpauseClient(String name) {
        return unpause("clients", name);
    }

    private boolean unpause(String scope, String name) {
        try {
            httpTransport.done(
                    "removing the pause of " + scope + " " + name,
                    "DELETE",
                    path(scope, name),
                    null);
            return true;
        } catch (ClientException.NotFound notPaused) {
            return false;
        }
    }

    private static String path(String scope, String name) {
        return PAUSES + "/" + scope + "/" + ArtelClient.encoded(name);
    }

    /// The jars in the folder of blueprints.
    ///
    /// @throws ClientException which states what to do next
    public List<JarView> jars() {
        return client.all("listing the jars", JARS).map(JarView::of).toList();
    }

    /// Takes up a jar of blueprints under the name of its file, as [#uploadJar(String, byte\\[\\])].
    ///
    /// @throws UncheckedIOException if it cannot be read
    /// @throws ClientException which states what to do next
    public JarView uploadJar(Path jar) {
        try {
            return uploadJar(jar.getFileName().toString(), Files.readAllBytes(jar));
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read the jar " + jar, unreadable);
        }
    }

    /// Takes up a jar of blueprints: it is durable and its blueprints can be used when the call returns. Its code runs in the process of the
    /// orchestrator, which allows this in its settings alone (`blueprints.upload`).
    ///
    /// @param name ends in `.jar`
    /// @param jar at most 64 MiB
    /// @throws ClientException.Unauthorized if uploads are disabled
    /// @throws ClientException.Conflict if another jar has the name, or a version of a blueprint in it is registered
    /// @throws ClientException.Invalid if something in it cannot be used; its problems state what
    /// @throws ClientException which states what to do next
    public JarView uploadJar(String name, byte[] jar) {
        var attempted = "uploading the jar " + name;
        return JarView.of(
                httpTransport
                        .done(attempted, "PUT", JARS + "/" + ArtelClient.encoded(name), jar, JAR)
                        .object(attempted));
    }

    /// Deletes a jar that no open job needs.
    ///
    /// @return whether its blueprints can be used until the next start
    /// @throws ClientException.Conflict if an open job needs it
    /// @throws ClientException.NotFound if it is not there
    /// @throws ClientException which states what to do next
    public boolean deleteJar(String name) {
        var attempted = "deleting the jar " + name;
        return httpTransport
                .done(attempted, "DELETE", JARS + "/" + ArtelClient.encoded(name), null)
                .object(attempted)
                .get("needs_restart")
                .filter(JsonBoolean.TRUE::equals)
                .isPresent();
    }

    /// Takes up a process card: it is durable and can be run when the call returns. The same text again changes nothing; another text of the same
    /// version becomes a revision of it. The orchestrator has to allow this in its settings (`blueprints.upload`).
    ///
    /// @param text YAML or JSON, at most 2 MiB
    /// @throws ClientException.Unauthorized if uploads are disabled
    /// @throws ClientException.Conflict if a blueprint that is no card has its name and version
    /// @throws ClientException.Invalid if it cannot be run; its problems state why
    /// @throws ClientException which states what to do next
    public CardView takeUpCard(String text) {
        var attempted = "taking up a process card";
        return CardView.of(
                httpTransport
                        .done(attempted, "POST", CARDS, text.getBytes(StandardCharsets.UTF_8), CARD)
                        .object(attempted));
    }
}
