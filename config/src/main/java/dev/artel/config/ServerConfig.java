package dev.artel.config;

import dev.artel.engine.shell.EngineConfig;
import dev.artel.gateway.http.GatewayConfig;
import dev.artel.session.SessionSettings;
import java.nio.file.Path;

/// All settings of an orchestrator.
///
/// @param http how it listens
/// @param data the folder for its database and its tokens; made if missing
/// @param tokens where its tokens come from
/// @param engine how it uses its machine
/// @param session its terms with workers
/// @param ingress who may come in, and how
/// @param gateway the limits of what workers send
/// @param blueprints where blueprints come from
/// @param payloads where large values are kept
/// @param backup where a copy of all is kept
public record ServerConfig(
        HttpSettings http,
        Path data,
        TokenSettings tokens,
        EngineConfig engine,
        SessionSettings session,
        IngressSettings ingress,
        GatewayConfig gateway,
        BlueprintSettings blueprints,
        PayloadSettings payloads,
        BackupSettings backup,
        ActionSettings actions) {
    /// The defaults of all parts, in the folder `artel-data`.
    public static final ServerConfig DEFAULTS =
            new ServerConfig(
                    HttpSettings.DEFAULTS,
                    Path.of("artel-data"),
                    new TokenSettings.Kept(),
                    EngineConfig.DEFAULTS,
                    SessionSettings.DEFAULTS,
                    IngressSettings.DEFAULTS,
                    GatewayConfig.DEFAULTS,
                    BlueprintSettings.DEFAULTS,
                    PayloadSettings.DEFAULTS,
                    BackupSettings.DEFAULTS,
                    ActionSettings.DEFAULTS);

    /// Whether tokens and jobs travel to other machines as anybody between reads them: neither TLS of its own nor a proxy
    /// that is known is in front.
    public boolean isPlainForOthers() {
        return !http.isLoopback() && ingress.tls().isEmpty() && ingress.proxy().trusted().isEmpty();
    }

    /// These settings with other ones for HTTP.
    public ServerConfig withHttp(HttpSettings other) {
        return new ServerConfig(
                other,
                data,
                tokens,
                engine,
                session,
                ingress,
                gateway,
                blueprints,
                payloads,
                backup,
                actions);
    }

    /// These settings on another port; 0: any free one.
    public ServerConfig withPort(int port) {
        return withHttp(http.withPort(port));
    }

    /// These settings with another data folder.
    public ServerConfig withData(Path folder) {
        return new ServerConfig(
                http,
                folder,
                tokens,
                engine,
                session,
                ingress,
                gateway,
                blueprints,
                payloads,
                backup,
                actions);
    }

    /// These settings with other tokens.
    public ServerConfig withTokens(TokenSettings other) {
        return new ServerConfig(
                http,
                data,
                other,
                engine,
                session,
                ingress,
                gateway,
                blueprints,
                payloads,
                backup,
                actions);
    }

    /// These settings with other ones for the engine.
    public ServerConfig withEngine(EngineConfig other) {
        return new ServerConfig(
                http,
                data,
                tokens,
                other,
                session,
                ingress,
                gateway,
                blueprints,
                payloads,
                backup,
                actions);
    }

    /// These settings with other terms for workers.
    public ServerConfig withSession(SessionSettings other) {
        return new ServerConfig(
                http,
                data,
                tokens,
                engine,
                other,
                ingress,
                gateway,
                blueprints,
                payloads,
                backup,
                actions);
    }

    /// These settings with another front door.
    public ServerConfig withIngress(IngressSettings other) {
        return new ServerConfig(
                http,
                data,
                tokens,
                engine,
                session,
                other,
                gateway,
                blueprints,
                payloads,
                backup,
                actions);
    }

    /// These settings with other limits of what workers send.
    public ServerConfig withGateway(GatewayConfig other) {
        return new ServerConfig(
                http,
                data,
                tokens,
                engine,
                session,
                ingress,
                other,
                blueprints,
                payloads,
                backup,
                actions);
    }

    /// These settings with blueprints from elsewhere.
    public ServerConfig withBlueprints(BlueprintSettings other) {
        return new ServerConfig(
                http, data, tokens, engine, session, ingress, gateway, other, payloads, backup,
                actions);
    }

    /// These settings with another place for large values.
    public ServerConfig withPayloads(PayloadSettings other) {
        return new ServerConfig(
                http,
                data,
                tokens,
                engine,
                session,
                ingress,
                gateway,
                blueprints,
                other,
                backup,
                actions);
    }

    /// These settings with another copy.
    public ServerConfig withBackup(BackupSettings other) {
        return new ServerConfig(
                http,
                data,
                tokens,
                engine,
                session,
                ingress,
                gateway,
                blueprints,
                payloads,
                other,
                actions);
    }

    /// These settings with other actions of its own.
    public ServerConfig withActions(ActionSettings other) {
        return new ServerConfig(
                http,
                data,
                tokens,
                engine,
                session,
                ingress,
                gateway,
                blueprints,
                payloads,
                backup,
                other);
    }

    /// These settings with other callers.
    public ServerConfig withAccess(AccessSettings other) {
        return withIngress(ingress.withAccess(other));
    }
}
