package dev.artel.server.api.admin;

import dev.artel.access.Caller;
import dev.artel.config.NamedSecret;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.server.api.http.Page;
import io.javalin.http.Context;
import java.util.Collection;
import java.util.function.Supplier;

/// The secrets that cards may name: their names and where they may go. No value is shown.
public final class SecretRoutes {
    private final Supplier<Collection<NamedSecret>> secrets;

    /// Routes that show `secrets`, as they are now.
    public SecretRoutes(Supplier<Collection<NamedSecret>> secrets) {
        this.secrets = secrets;
    }

    /// Lists the secrets.
    public void list(Context request, Caller operator) {
        Page.ofAll(
                request,
                "secrets",
                secrets.get().stream(),
                NamedSecret::name,
                secret ->
                        JsonObject.builder()
                                .put("name", secret.name())
                                .put("hosts", JsonValue.of(secret.hosts().toString()))
                                .build());
    }
}
