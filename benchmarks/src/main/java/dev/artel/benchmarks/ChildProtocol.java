package dev.artel.benchmarks;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

/// The conversation of a [ChildProcess] from its own side.
final class ChildProtocol {
    private static final PrintStream OUT =
            new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

    private ChildProtocol() {}

    static void send(String line) {
        OUT.println(line);
    }

    /// Answers each line until there is none.
    static void untilEnd(UnaryOperator<String> answer) throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (var line = in.readLine(); line != null; line = in.readLine()) {
            send(answer.apply(line));
        }
    }
}
