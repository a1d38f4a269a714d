package dev.artel.cli;

import dev.artel.client.ArtelApi;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/// What a terminal shows again and again, until the command is interrupted.
final class LiveScreen {
    private static final Duration REFRESH = Duration.ofSeconds(1);

    private final CliContext context;

    LiveScreen(CliContext context) {
        this.context = context;
    }

    /// Shows the lines of `frame` each second, or once if no person looks at it.
    int show(CliConnection connection, boolean isOnce, Function<ArtelApi, List<String>> frame) {
        var output = context.output();
        return connection.with(
                context.environment(),
                client -> {
                    if (isOnce || !output.isTerminal()) {
                        frame.apply(client.api()).forEach(output::line);
                        return 0;
                    }
                    output.clear();
                    do {
                        output.screen(frame.apply(client.api()));
                    } while (isNextDue());
                    return 0;
                });
    }

    private static boolean isNextDue() {
        try {
            return !new CountDownLatch(1).await(REFRESH.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
