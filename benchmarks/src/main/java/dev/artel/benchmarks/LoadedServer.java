package dev.artel.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// An orchestrator in a process of its own, which a benchmark puts load on.
final class LoadedServer implements AutoCloseable {
    private final ChildProcess process;
    private final int port;
    private final String clientToken;
    private final String workerToken;
    private final List<String> zeroMqPorts;

    private LoadedServer(ChildProcess process, String[] ready) {
        this.process = process;
        port = Integer.parseInt(ready[0]);
        clientToken = ready[1];
        workerToken = ready[2];
        zeroMqPorts = List.of(ready).subList(3, ready.length);
    }

    /// One with the flags of `./artel up`.
    ///
    /// @param arguments those of [ServerProcess]
    static LoadedServer start(String... arguments) throws IOException {
        return withFlags(ServerProcess.OPTIONS, arguments);
    }

    /// One with other flags of the JVM.
    static LoadedServer withFlags(List<String> flags, String... arguments) throws IOException {
        var process = ChildProcess.start(ServerProcess.class, flags, arguments);
        return new LoadedServer(process, process.line().split(" ", -1));
    }

    ChildProcess process() {
        return process;
    }

    HttpClient client() throws IOException {
        return new HttpClient(port, clientToken);
    }

    int port() {
        return port;
    }

    String workerToken() {
        return workerToken;
    }

    /// Where a worker of the SDK reaches it over the wire that `scheme` selects.
    String address(String scheme) {
        return scheme.equals("zmq")
                ? "zmq://127.0.0.1:%s?tasks=%s&results=%s".formatted(zeroMqPorts.toArray())
                : scheme + "://127.0.0.1:" + port;
    }

    /// Workers of a load program that know the protocol of a wire alone, once they are registered.
    ///
    /// @param main the load program, whose first arguments are its ports and the token of workers
    ChildProcess workers(Class<?> main, String... arguments) throws IOException {
        var all = new ArrayList<String>();
        if (main == ZeroMqWorkers.class) {
            all.addAll(zeroMqPorts);
        } else {
            all.add(Integer.toString(port));
        }
        all.add(workerToken);
        all.addAll(List.of(arguments));
        var workers =
                ChildProcess.start(
                        main, List.of("-Xmx2g", "-XX:+UseSerialGC"), all.toArray(String[]::new));
        workers.line();
        return workers;
    }

    @Override
    public void close() throws IOException {
        process.close();
    }
}
