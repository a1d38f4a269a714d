package dev.artel.mcp;

import dev.artel.client.ArtelClient;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.server.transport.DefaultServerTransportSecurityValidator;
import io.modelcontextprotocol.server.transport.HttpServletStreamableServerTransportProvider;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.List;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;

/// The streamable HTTP of the protocol on the loopback address, for agents of this machine that send the token.
final class AgentListener implements AutoCloseable {
    static final String PATH = "/mcp";

    private static final String HOST = "127.0.0.1";
    private static final int MOST_CONNECTIONS = 100;
    private static final int MOST_BYTES = 1 << 20;
    private static final Duration IDLE = Duration.ofHours(1);

    /// So long a connection may send nothing that has not sent the token: it takes the place of an agent.
    private static final Duration IDLE_STRANGER = Duration.ofSeconds(10);

    private static final List<String> NAMES = List.of("localhost:*", "127.0.0.1:*");

    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server);
    private final AgentServer agents;

    private AgentListener(
            int port,
            String token,
            ArtelClient client,
            AgentServer.Consent consent,
            String version,
            Duration idleStranger)
            throws Exception {
        connector.setHost(HOST);
        connector.setPort(port);
        connector.setIdleTimeout(idleStranger.toMillis());
        server.addConnector(connector);
        server.addBean(new NetworkConnectionLimit(MOST_CONNECTIONS, connector));
        var transport =
                HttpServletStreamableServerTransportProvider.builder()
                        .jsonMapper(new ErrorsWithoutTrace(McpJsonDefaults.getMapper()))
                        .mcpEndpoint(PATH)
                        .maxRequestSize(MOST_BYTES)
                        .sessionSweepInterval(IDLE)
                        .httpHeaderValidator(
                                DefaultServerTransportSecurityValidator.builder()
                                        .allowedHosts(NAMES)
                                        .allowedOrigins(
                                                NAMES.stream().map("http://"::concat).toList())
                                        .build())
                        .build();
        agents = AgentServer.start(client, consent, version, transport);
        var context = new ServletContextHandler();
        var holder = new ServletHolder(transport);
        holder.setAsyncSupported(true);
        context.addServlet(holder, PATH);
        server.setHandler(new TokenCheck(token, context));
        try {
            server.start();
        } catch (IOException taken) {
            agents.close();
            throw new IllegalArgumentException(
                    "cannot listen at " + HOST + ":" + port + ": " + taken.getMessage(), taken);
        }
    }

    /// Serves agents until it is closed.
    ///
    /// @param port 0 picks a free one
    /// @param token what each request has to send as a bearer's
    /// @throws IllegalArgumentException if the port is taken
    static AgentListener open(
            int port, String token, ArtelClient client, AgentServer.Consent consent, String version)
            throws Exception {
        return open(port, token, client, consent, version, IDLE_STRANGER);
    }

    /// @param idleStranger how long a connection may send nothing that has not sent the token
    static AgentListener open(
            int port,
            String token,
            ArtelClient client,
            AgentServer.Consent consent,
            String version,
            Duration idleStranger)
            throws Exception {
        return new AgentListener(port, token, client, consent, version, idleStranger);
    }

    /// Where agents reach it.
    URI uri() {
        return URI.create("http://" + HOST + ":" + connector.getLocalPort() + PATH);
    }

    @Override
    public void close() throws IOException {
        agents.close();
        try {
            server.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            throw new IOException("closing " + uri() + ": " + e.getMessage(), e);
        }
    }

    /// Lets nobody in who does not send the token.
    private static final class TokenCheck extends Handler.Wrapper {
        private final byte[] expected;

        TokenCheck(String token, Handler handler) {
            super(handler);
            expected = ("Bearer " + token).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback)
                throws Exception {
            var given = String.valueOf(request.getHeaders().get(HttpHeader.AUTHORIZATION));
            if (MessageDigest.isEqual(expected, given.getBytes(StandardCharsets.UTF_8))) {
                // A person may take long to consent, and nothing is sent meanwhile.
                request.getConnectionMetaData()
                        .getConnection()
                        .getEndPoint()
                        .setIdleTimeout(IDLE.toMillis());
                return super.handle(request, response, callback);
            }
            response.getHeaders().put(HttpHeader.CONNECTION, "close");
            response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Bearer");
            Response.writeError(
                    request,
                    response,
                    callback,
                    HttpStatus.UNAUTHORIZED_401,
                    "send the token of this server as Authorization: Bearer TOKEN");
            return true;
        }
    }
}
