package dev.artel.worker.link;

import dev.artel.json.JsonObject;
import dev.artel.protocol.MalformedMessage;
import dev.artel.protocol.ValueRef;
import dev.artel.worker.wire.OrchestratorResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Brings large values to and from an orchestrator, file by file, without ever holding one in memory.
final class PayloadTransfer {
    private static final Logger LOG = LoggerFactory.getLogger(PayloadTransfer.class);
    private static final int TRIES = 5;
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final OrchestratorClient orchestratorClient;
    private final Backoff backoff;

    PayloadTransfer(OrchestratorClient orchestratorClient, Backoff backoff) {
        this.orchestratorClient = orchestratorClient;
        this.backoff = backoff;
    }

    private interface Try {
        OrchestratorResponse go() throws IOException, InterruptedException;
    }

    /// Fetches `value` into `file`.
    ///
    /// @throws IOException if it does not come, or is not what it should be
    void fetch(ValueRef value, Path file) throws IOException, InterruptedException {
        var url = value.url();
        var what = "fetching large value " + value.sha256();
        if (url == null) {
            throw new IOException(what + ": it came without an address");
        }
        var _ = tried(what, 200, () -> orchestratorClient.fetch(url, file, LIMIT));
        var found = digest(file);
        if (!found.equals(value.sha256())) {
            throw new IOException(
                    what
                            + ": it arrived as "
                            + found
                            + ", "
                            + Files.size(file)
                            + " of "
                            + value.bytes()
                            + " bytes");
        }
    }

    /// Puts the JSON text in `file` to `url`.
    ///
    /// @throws IOException if it is not taken
    ValueRef put(String url, Path file) throws IOException, InterruptedException {
        var sha256 = digest(file);
        var what = "putting large value " + sha256;
        var orchestratorResponse =
                tried(what, 201, () -> orchestratorClient.put(url, file, sha256, LIMIT));
        try {
            var kept =
                    orchestratorResponse.json() instanceof JsonObject object
                            ? object
                            : JsonObject.EMPTY;
            if (!kept.string("sha256").equals(Optional.of(sha256))) {
                throw new IOException(
                        what + ": it was taken as another, " + orchestratorResponse.text());
            }
            return new ValueRef(sha256, Files.size(file), null);
        } catch (MalformedMessage unreadable) {
            throw new IOException(what + ": " + unreadable.getMessage(), unreadable);
        }
    }

    /// The answer with the status `wanted`, after some tries at most.
    private OrchestratorResponse tried(String what, int wanted, Try act)
            throws IOException, InterruptedException {
        for (var failures = 1; ; failures++) {
            String found;
            try {
                var orchestratorResponse = act.go();
                if (orchestratorResponse.status() == wanted) {
                    return orchestratorResponse;
                }
                found = "answered " + orchestratorResponse.text();
                failures = isFinal(orchestratorResponse) ? TRIES : failures;
            } catch (IOException broken) {
                found = broken.toString();
            }
            if (failures >= TRIES) {
                throw new IOException(what + ": " + found);
            }
            LOG.atWarn()
                    .addKeyValue("orchestrator", orchestratorClient)
                    .addKeyValue("transfer", what)
                    .addKeyValue("cause", found)
                    .log("a transfer failed; trying again");
            Thread.sleep(backoff.after(failures));
        }
    }

    /// Whether another try is answered the same.
    private static boolean isFinal(OrchestratorResponse orchestratorResponse) {
        return orchestratorResponse.status() >= 400
                && orchestratorResponse.status() < 500
                && orchestratorResponse.status() != 429;
    }

    private static String digest(Path file) throws IOException {
        try (var in = new DigestInputStream(Files.newInputStream(file), sha256())) {
            in.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(in.getMessageDigest().digest());
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
