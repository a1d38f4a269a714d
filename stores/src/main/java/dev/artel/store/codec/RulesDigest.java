package dev.artel.store.codec;

import dev.artel.json.JsonValue;
import dev.artel.kernel.job.Jobs;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Stands for the code that folds events: two builds that might fold them differently have different digests. A number
/// that a person must remember to raise would be forgotten once, and a wrong state served forever.
final class RulesDigest {
    private static final Logger LOG = LoggerFactory.getLogger(RulesDigest.class);
    private static final int LENGTH = 16;

    /// Raised when the bytes themselves change their form.
    private static final byte FORM = 1;

    static final byte[] OF_THIS_PROCESS = ofCode();

    private RulesDigest() {}

    static byte[] ofCode() {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            digest.update(FORM);
            add(digest, Jobs.class);
            add(digest, JsonValue.class);
            return java.util.Arrays.copyOf(digest.digest(), LENGTH);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        } catch (IOException | URISyntaxException | RuntimeException unseen) {
            LOG.atWarn()
                    .setCause(unseen)
                    .log(
                            "the code of the rules cannot be read; folded jobs are kept for this"
                                    + " process alone");
            var random = new byte[LENGTH];
            new SecureRandom().nextBytes(random);
            return random;
        }
    }

    private static void add(MessageDigest digest, Class<?> one)
            throws IOException, URISyntaxException {
        CodeSource source = Objects.requireNonNull(one.getProtectionDomain().getCodeSource());
        URI place = Objects.requireNonNull(source.getLocation()).toURI();
        var path = Path.of(place);
        if (Files.isRegularFile(path)) {
            digest.update(Files.readAllBytes(path));
            return;
        }
        try (var files = Files.walk(path)) {
            for (var file : files.filter(Files::isRegularFile).sorted().toList()) {
                digest.update(path.relativize(file).toString().getBytes(StandardCharsets.UTF_8));
                digest.update(Files.readAllBytes(file));
            }
        }
    }
}
