package dev.artel.benchmarks;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// From the start of the process, in an empty folder, to the first 200 on `/readyz`, with the options of `./artel up`:
/// plainly, and with a cache of classes that an earlier run has made.
final class StartBenchmark implements Benchmark {
    private static final String WITH_CACHE = "seconds_with_aot_cache";
    private static final int RUNS = 5;
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final byte[] QUESTION =
            "GET /readyz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII);

    @Override
    public String name() {
        return "start";
    }

    @Override
    public List<String> metrics() {
        return makesCache() ? List.of("seconds", WITH_CACHE) : List.of("seconds");
    }

    @Override
    public List<BenchmarkResult> run(Size size) throws Exception {
        try (var folder = TemporaryFolder.create("start-")) {
            return measure(folder.path(), size);
        }
    }

    private List<BenchmarkResult> measure(Path folder, Size size) throws Exception {
        var results = new ArrayList<BenchmarkResult>();
        results.add(measure("seconds", folder, List.of(), size));
        if (!makesCache()) {
            return results;
        }
        var cache = folder.resolve("start.aot");
        run(
                List.of("-XX:AOTCacheOutput=" + cache),
                "dev.artel.server.AotTraining",
                folder.resolve("rehearsal").toString());
        if (!Files.exists(cache)) {
            throw new IOException("this JDK made no cache of classes");
        }
        results.add(measure(WITH_CACHE, folder, List.of("-XX:AOTCache=" + cache), size));
        return results;
    }

    /// A class path with folders, as that of the tests, cannot have a cache.
    private static boolean makesCache() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .noneMatch(entry -> Files.isDirectory(Path.of(entry)));
    }

    private BenchmarkResult measure(String metric, Path folder, List<String> options, Size size)
            throws Exception {
        start(folder, options); // the page cache of the files
        var seconds = new ArrayList<Double>();
        for (var i = 0; i < size.runs(RUNS); i++) {
            seconds.add(start(folder, options));
        }
        return new BenchmarkResult(name(), metric, "s", BenchmarkResult.Better.LOWER, seconds);
    }

    private static double start(Path folder, List<String> options) throws Exception {
        int port;
        try (var any = new ServerSocket(0)) {
            port = any.getLocalPort();
        }
        var data = Files.createTempDirectory(folder, "data-");
        var began = System.nanoTime();
        var process =
                process(
                        options,
                        "dev.artel.server.ArtelServer",
                        "--port",
                        Integer.toString(port),
                        "--data",
                        data.toString());
        try {
            while (!isReady(port)) {
                if (System.nanoTime() - began > TIMEOUT.toNanos() || !process.isAlive()) {
                    throw new IOException("the orchestrator did not start");
                }
                Thread.sleep(5);
            }
            return (System.nanoTime() - began) / 1e9;
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private static void run(List<String> options, String main, String... arguments)
            throws Exception {
        var process = process(options, main, arguments);
        if (!process.waitFor(120, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }

    private static Process process(List<String> options, String main, String... arguments)
            throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow"));
        command.addAll(ServerProcess.OPTIONS);
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(name -> name.startsWith("ARTEL_"));
        return builder.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static boolean isReady(int port) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(5_000);
            socket.getOutputStream().write(QUESTION);
            var answer =
                    new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
            return answer.equals("HTTP/1.1 200");
        } catch (IOException notYet) {
            return false;
        }
    }
}
