package dev.artel.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Two clients with tokens of their own, neither of whom is an operator.
public final class AliceAndBob {
    private static final String ALICES = "token-of-alice-0123456";
    private static final String BOBS = "token-of-bob-012345678";

    private AliceAndBob() {}

    /// Writes the file of clients in which they are, with `more` lines behind them.
    ///
    /// @param data the data folder, which is made if it is not there
    /// @return the file
    public static Path writeTo(Path data, String more) throws IOException {
        return Files.writeString(
                Files.createDirectories(data).resolve("clients.toml"),
                """
                [alice]
                token = "%s"
                [bob]
                token = "%s"
                """
                                .formatted(ALICES, BOBS)
                        + more);
    }

    public static Path writeTo(Path data) throws IOException {
        return writeTo(data, "");
    }

    public static TestClient alice(ArtelNode node) {
        return new TestClient(node.uri(), "X-Client-Token", ALICES);
    }

    public static TestClient bob(ArtelNode node) {
        return new TestClient(node.uri(), "X-Client-Token", BOBS);
    }
}
