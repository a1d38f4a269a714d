package dev.artel.worker.server;

import dev.artel.worker.server.hub.Authenticator;
import dev.artel.worker.server.hub.HubOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// Where a worker server listens, and how its hub behaves.
///
/// @param host the address on which it listens
/// @param port the port; 0 picks a free one
/// @param path the one path of workers
/// @param hub how the hub behaves
/// @param tls the keys for TLS; null for plain connections
public record WorkerServerOptions(
        String host, int port, String path, HubOptions hub, @Nullable SSLContext tls) {
    /// The path of workers, where no other one is set.
    public static final String DEFAULT_PATH = "/ws/worker";

    /// Refuses a port that is none and a path that is not absolute.
    public WorkerServerOptions {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException(
                    "port %d of the worker server: 0 to 65535".formatted(port));
        }
        checkPath(path);
    }

    /// Everybody on this machine may register, on `port` of the loopback address.
    public static WorkerServerOptions onPort(int port) {
        return new WorkerServerOptions("127.0.0.1", port, DEFAULT_PATH, HubOptions.DEFAULTS, null);
    }

    /// These options on another address: `0.0.0.0` is all of the machine.
    public WorkerServerOptions withHost(String host) {
        return new WorkerServerOptions(host, port, path, hub, tls);
    }

    /// These options with another path of workers.
    public WorkerServerOptions withPath(String path) {
        return new WorkerServerOptions(host, port, path, hub, tls);
    }

    /// These options with another hub.
    public WorkerServerOptions withHub(HubOptions hub) {
        return new WorkerServerOptions(host, port, path, hub, tls);
    }

    /// These options for workers that present `token`.
    ///
    /// @throws IllegalArgumentException if it is blank
    public WorkerServerOptions withToken(String token) {
        return withHub(hub.withAuthenticator(Authenticator.token(token)));
    }

    /// These options with TLS.
    public WorkerServerOptions withTls(SSLContext tls) {
        return new WorkerServerOptions(host, port, path, hub, tls);
    }

    /// These options with TLS by the keys of a PKCS #12 file.
    ///
    /// @throws UncheckedIOException if the file cannot be read
    /// @throws IllegalArgumentException if it is no key store, or `password` does not open it
    public WorkerServerOptions withKeyStore(Path file, char[] password) {
        try (var in = Files.newInputStream(file)) {
            var store = KeyStore.getInstance("PKCS12");
            store.load(in, password);
            var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, password);
            var context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), null, null);
            return withTls(context);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the key store " + file, e);
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "cannot use the key store %s: is it PKCS #12, and is the password right?"
                            .formatted(file),
                    e);
        }
    }

    static void checkPath(String path) {
        if (!path.startsWith("/") || path.contains("?") || path.contains("#")) {
            throw new IllegalArgumentException(
                    "path %s of the worker server: it must begin with \"/\" and have no query"
                            .formatted(path));
        }
    }
}
