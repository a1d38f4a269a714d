package dev.artel.mcp;

import dev.artel.cli.CliFailure;
import dev.artel.cli.ProfileClient;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `artel mcp`: a server of the Model Context Protocol for one agent, on the standard input and output, which ends with its input; or with
/// `--http` for the agents of this machine, until the process is stopped.
@Command(
        name = "mcp",
        description = "Lets an agent look at jobs, over the Model Context Protocol.",
        mixinStandardHelpOptions = true)
public final class McpCommand implements Callable<Integer> {
    private static final int USAGE = 2;
    private static final int HIGHEST_PORT = 65_535;
    private static final int SHORTEST_TOKEN = 16;
    private static final int SECRET_BYTES = 32;
    private static final String TOKEN = "ARTEL_MCP_TOKEN";
    private static final String NO_RELEASE = "development";

    private final InputStream in;
    private final OutputStream out;
    private final Map<String, String> environment;

    @Mixin private ProfileClient chosen = new ProfileClient();

    @Option(
            names = "--allow-acts",
            description =
                    "the agent may steer and end jobs; a client that can asks its person before each act")
    private boolean isActing;

    @Option(names = "--read-only", description = "the agent may not even submit jobs")
    private boolean isReading;

    @Option(
            names = "--http",
            paramLabel = "PORT",
            description =
                    "serves the agents of this machine over HTTP, at http://127.0.0.1:PORT/mcp; 0: any free port. They send the token in"
                            + " $ARTEL_MCP_TOKEN; without it one is made and printed")
    private Optional<Integer> port = Optional.empty();

    McpCommand(InputStream in, OutputStream out, Map<String, String> environment) {
        this.in = in;
        this.out = out;
        this.environment = environment;
    }

    /// Serves until the standard input ends.
    public static void main(String[] arguments) {
        var out = System.out;
        // No library logs here; the one for logs need not report that to the agent's person.
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        // The standard output belongs to the protocol; what libraries print goes elsewhere.
        System.setOut(System.err);
        System.exit(run(List.of(arguments), System.in, out, System.err, System.getenv()));
    }

    private static int run(
            List<String> arguments,
            InputStream in,
            PrintStream out,
            PrintStream err,
            Map<String, String> environment) {
        var line = new CommandLine(new McpCommand(in, out, environment));
        line.setOut(new PrintWriter(err, true, StandardCharsets.UTF_8));
        line.setErr(new PrintWriter(err, true, StandardCharsets.UTF_8));
        line.setExecutionExceptionHandler((failure, _, _) -> failed(failure, err));
        return line.execute(arguments.toArray(String[]::new));
    }

    private static int failed(Exception failure, PrintStream err) throws Exception {
        if (failure instanceof CliFailure || failure instanceof IllegalArgumentException) {
            err.println("artel: " + failure.getMessage());
            return USAGE;
        }
        throw failure;
    }

    @Override
    public Integer call() throws Exception {
        if (isActing && isReading) {
            throw new IllegalArgumentException("--allow-acts and --read-only exclude each other");
        }
        var consent =
                isActing
                        ? AgentServer.Consent.ACT
                        : isReading ? AgentServer.Consent.READ_ONLY : AgentServer.Consent.SUBMIT;
        if (port.isPresent()) {
            listen(port.get(), consent);
            return 0;
        }
        var ended = new CountDownLatch(1);
        var messages = new Ending(new MessageLines(in, out, System.err), ended);
        try (var client = chosen.open(Optional.empty(), environment);
                var _ = AgentServer.start(client, consent, version(), messages, out)) {
            ended.await();
        }
        return 0;
    }

    /// Until the process is stopped.
    private void listen(int at, AgentServer.Consent consent) throws Exception {
        if (at < 0 || at > HIGHEST_PORT) {
            throw new IllegalArgumentException(
                    "--http must be from 0 to " + HIGHEST_PORT + ", was " + at);
        }
        var given = Optional.ofNullable(environment.get(TOKEN)).map(String::strip);
        if (given.filter(token -> token.length() < SHORTEST_TOKEN).isPresent()) {
            throw new IllegalArgumentException(
                    TOKEN + " must have at least " + SHORTEST_TOKEN + " characters");
        }
        var token = given.orElseGet(McpCommand::secret);
        try (var client = chosen.open(Optional.empty(), environment);
                var listener = AgentListener.open(at, token, client, consent, version())) {
            System.err.println("agents connect to " + listener.uri());
            if (given.isEmpty()) {
                System.err.println("with the header Authorization: Bearer " + token);
            }
            new CountDownLatch(1).await();
        }
    }

    private static String secret() {
        var bytes = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /// That of the release; one that was built from sources has none.
    private static String version() {
        var home = System.getProperty("artel.home");
        try {
            return home == null
                    ? NO_RELEASE
                    : Files.readString(Path.of(home, "VERSION")).split("\\s", 2)[0];
        } catch (IOException none) {
            return NO_RELEASE;
        }
    }

    /// Notifies when there is no more of it.
    private static final class Ending extends FilterInputStream {
        private final CountDownLatch ended;

        Ending(InputStream in, CountDownLatch ended) {
            super(in);
            this.ended = ended;
        }

        @Override
        public int read() throws IOException {
            return noted(super.read());
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            return noted(super.read(bytes, offset, length));
        }

        private int noted(int read) {
            if (read < 0) {
                ended.countDown();
            }
            return read;
        }
    }
}
