package dev.artel.worker.zeromq;

import java.io.IOException;
import java.nio.file.Path;
import org.zeromq.ZConfig;

/// A pair of keys in a file as CZMQ and pyzmq make it (`zmq.auth.create_certificates`): in the section `curve` the lines `public-key = "..."` and
/// `secret-key = "..."`, each with 40 characters of Z85.
final class CertificateFile {
    private CertificateFile() {}

    /// @throws IllegalArgumentException if there is no such file, or one of the keys is not in it
    static DealerAddress.Curve.Pair read(Path file) {
        try {
            var text = ZConfig.load(file.toString());
            return new DealerAddress.Curve.Pair(
                    key(file, text, "public-key"), key(file, text, "secret-key"));
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "certificate: the file " + file + " cannot be read: " + unreadable, unreadable);
        } catch (ZConfig.ReadException malformed) {
            // Its message, and so it as a cause, has the line, which may be that of the secret key.
            throw new IllegalArgumentException(
                    "certificate: line "
                            + (malformed.currentLineNumber + 1)
                            + " of the file "
                            + file
                            + " cannot be read");
        }
    }

    private static String key(Path file, ZConfig text, String name) {
        var key = text.getValue("curve/" + name);
        if (key == null) {
            throw new IllegalArgumentException(
                    "certificate: the file "
                            + file
                            + " has no "
                            + name
                            + " in a section curve; the secret file of a certificate has both keys");
        }
        return key;
    }
}
