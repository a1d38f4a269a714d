package dev.artel.examples.photos.demo;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/// What people see: lines, and below them a bar on a terminal; elsewhere a line for every quarter. Not safe for use by
/// many threads.
public final class Screen {
    private static final int BAR = 30;
    private static final int QUARTERS = 4;
    private static final String CLEAR = "\r\u001B[K";

    private final PrintStream out;
    private final boolean hasBar;
    private final long began = System.nanoTime();
    private int quarter;
    private String bar = "";

    /// A screen that writes to `out`, the standard output.
    public Screen(PrintStream out) {
        this.out = out;
        hasBar = isTerminal() && !"dumb".equals(System.getenv("TERM"));
    }

    /// Since JDK 25 there is again no console where there is no terminal.
    @SuppressWarnings("SystemConsoleNull")
    private static boolean isTerminal() {
        var console = System.console();
        return console != null && console.isTerminal();
    }

    /// A line.
    void line(String text) {
        out.println((bar.isEmpty() ? "" : CLEAR) + text);
        out.print(bar);
        out.flush();
    }

    /// A line of two columns.
    void line(String label, String text) {
        line(String.format(Locale.ROOT, "%-13s %s", label, text));
    }

    /// Something that happened now.
    void event(String text) {
        line(String.format(Locale.ROOT, "%10s    %s", seconds(sinceBegin()), text));
    }

    /// How far a job is.
    void progress(int done, int total) {
        if (total == 0) {
            return;
        }
        if (hasBar) {
            var full = BAR * done / total;
            bar =
                    "%s[%s%s] %d of %d tasks"
                            .formatted(
                                    CLEAR, "#".repeat(full), "-".repeat(BAR - full), done, total);
            out.print(bar);
            out.flush();
        } else if (QUARTERS * done / total > quarter) {
            quarter = QUARTERS * done / total;
            event(done + " of " + total + " tasks are done");
        }
    }

    /// The job is over: no bar any more.
    void endProgress() {
        quarter = 0;
        if (!bar.isEmpty()) {
            bar = "";
            out.print(CLEAR);
            out.flush();
        }
    }

    /// The time since the demo began.
    Duration sinceBegin() {
        return Duration.ofNanos(System.nanoTime() - began);
    }

    static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1000d);
    }
}
