package dev.artel.server.wiring;

import dev.artel.engine.shell.Blueprints;
import dev.artel.engine.shell.LocalEngine;
import dev.artel.gateway.http.GatewayConfig;
import dev.artel.gateway.http.HttpWorkerGateway;
import dev.artel.gateway.http.WorkerTokens;
import dev.artel.gateway.shell.MonotonicTime;
import dev.artel.gateway.shell.SessionShell;
import dev.artel.json.JsonValue;
import dev.artel.kernel.store.StoreException;
import dev.artel.kernel.task.Payload;
import dev.artel.server.api.ClientApi;
import dev.artel.server.api.ClientTokens;
import dev.artel.server.api.JsonErrors;
import dev.artel.server.api.Lifecycle;
import dev.artel.server.api.Metrics;
import dev.artel.server.api.PublicApi;
import dev.artel.server.config.ServerConfig;
import dev.artel.server.config.TokenSettings;
import io.javalin.config.RoutesConfig;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The parts of one orchestrator, put together by hand.
///
/// [#close] takes no new work, answers waiting polls, lets running steps end, and closes the stores last.
public final class Wiring implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Wiring.class);

    private final InstantSource clock = InstantSource.system();
    private final Lifecycle lifecycle = new Lifecycle();

    /// What has to be closed, last opened first.
    private final Deque<Closing> opened = new ArrayDeque<>();

    private final Tokens tokens;
    private final Storage storage;
    private final HttpListener http;
    private final LocalEngine engine;

    private interface Closing {
        void close() throws Exception;
    }

    /// Starts an orchestrator on the stores of the data folder.
    ///
    /// @throws CannotStart if a person has to change something first
    public static Wiring start(ServerConfig config, Blueprints blueprints) {
        return new Wiring(config, blueprints, null);
    }

    /// Starts an orchestrator on `storage`, which stays the caller's to close.
    ///
    /// @throws CannotStart if a person has to change something first
    public static Wiring start(ServerConfig config, Blueprints blueprints, Storage storage) {
        return new Wiring(config, blueprints, storage);
    }

    private Wiring(ServerConfig config, Blueprints blueprints, @Nullable Storage given) {
        try {
            tokens = tokens(config);
            storage = given == null ? openStorage(config) : given;
            var metrics = new Metrics();
            opened.push(metrics::close);
            var session =
                    new SessionShell(
                            config.session(),
                            new MonotonicTime(clock.instant()),
                            (_, _, _, _) -> {});
            http =
                    HttpListener.open(
                            config.http(), routes -> mount(routes, config, session, metrics));
            engine = startEngine(config, blueprints);
            var presence = new Presence(engine);
            engine.listenedToBy(session);
            session.connect(presence);
            metrics.watch(engine, presence::workers);
            opened.push(http::close);
            opened.push(session::close);
            opened.push(lifecycle::stopping);
            lifecycle.ready(engine);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private static Tokens tokens(ServerConfig config) {
        return switch (config.tokens()) {
            case TokenSettings.Kept _ -> DataFolder.at(config.data()).tokens();
            case TokenSettings.Given(var client, var worker) -> new Tokens(client, worker, false);
        };
    }

    private Storage openStorage(ServerConfig config) {
        var own = DataFolder.at(config.data()).open();
        opened.push(own.events()::close);
        return own;
    }

    private void mount(
            RoutesConfig routes, ServerConfig config, SessionShell session, Metrics metrics) {
        JsonErrors.mount(routes);
        routes.before("/_worker/*", lifecycle::refuseWhenStopping);
        new PublicApi(lifecycle, metrics).mount(routes);
        new ClientApi(
                        lifecycle,
                        storage.events(),
                        storage.payloads(),
                        ClientTokens.single(tokens.client()),
                        config.http().maxBodyBytes(),
                        clock)
                .mount(routes);
        new HttpWorkerGateway(
                        session,
                        WorkerTokens.shared(tokens.worker().value()),
                        this::resolve,
                        GatewayConfig.DEFAULTS)
                .addTo(routes);
    }

    private JsonValue resolve(Payload payload) {
        return payload instanceof Payload.Inline(var value)
                ? value
                : storage.payloads().resolve(payload);
    }

    private LocalEngine startEngine(ServerConfig config, Blueprints blueprints) {
        try {
            var started =
                    LocalEngine.start(
                            config.engine(),
                            storage.events(),
                            storage.payloads(),
                            blueprints,
                            clock);
            opened.push(started::close);
            return started;
        } catch (StoreException e) {
            throw new CannotStart(
                    "cannot take up the open jobs: "
                            + DataFolder.oneLine(String.valueOf(e.getMessage())),
                    e);
        }
    }

    /// The port on which it listens.
    public int port() {
        return http.port();
    }

    /// The tokens in force.
    public Tokens tokens() {
        return tokens;
    }

    /// Who runs the jobs.
    public LocalEngine engine() {
        return engine;
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                LOG.atWarn().setCause(e).log("a part of the orchestrator did not close in order");
            }
        }
    }
}
