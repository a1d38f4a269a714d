package dev.artel.worker.link;

import dev.artel.json.JsonObject;
import dev.artel.protocol.MalformedMessage;
import dev.artel.protocol.ValueRef;
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
final class Transfers {
    private static final Logger LOG = LoggerFactory.getLogger(Transfers.class);
    private static final int TRIES = 5;
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final Channel channel;
    private final Backoff backoff;

    Transfers(Channel channel, Backoff backoff) {
        this.channel = channel;
        this.backoff = backoff;
    }

    private interface Try {
        Answer go() throws IOException, InterruptedException;
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
        var _ = tried(what, 200, () -> channel.fetch(url, file, LIMIT));
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
        var answer = tried(what, 201, () -> channel.put(url, file, sha256, LIMIT));
        try {
            var kept = answer.json() instanceof JsonObject object ? object : JsonObject.EMPTY;
            if (!kept.string("sha256").equals(Optional.of(sha256))) {
                throw new IOException(what + ": it was taken as another, " + answer.text());
            }
            return new ValueRef(sha256, Files.size(file), null);
        } catch (MalformedMessage unreadable) {
            throw new IOException(what + ": " + unreadable.getMessage(), unreadable);
        }
    }

    /// The answer with the status `wanted`, after some tries at most.
    private Answer tried(String what, int wanted, Try act)
            throws IOException, InterruptedException {
        for (var failures = 1; ; failures++) {
            String found;
            try {
                var answer = act.go();
                if (answer.status() == wanted) {
                    return answer;
                }
                found = "answered " + answer.text();
                failures = isFinal(answer) ? TRIES : failures;
            } catch (IOException broken) {
                found = broken.toString();
            }
            if (failures >= TRIES) {
                throw new IOException(what + ": " + found);
            }
            LOG.atWarn()
                    .addKeyValue("orchestrator", channel)
                    .addKeyValue("transfer", what)
                    .addKeyValue("cause", found)
                    .log("a transfer failed; trying again");
            Thread.sleep(backoff.after(failures));
        }
    }

    /// Whether another try is answered the same.
    private static boolean isFinal(Answer answer) {
        return answer.status() >= 400 && answer.status() < 500 && answer.status() != 429;
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
