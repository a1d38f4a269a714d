package dev.artel.e2e.fuzz;

import dev.artel.testkit.service.OptionalService;
import java.io.IOException;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// Sends hostile frames over each wire of workers, and looks what is left of them.
///
/// `--wire http|ws|zeromq|rabbitmq|redis` takes one (default: all whose service is here, one after another), `--frames N` sets how many (default 1,000,000 for each wire), `--seed S` which they are.
public final class FuzzRun {
    private static final int FOUND = 1;
    private static final int USAGE = 2;
    private static final long MOST = 1_000_000_000;

    private FuzzRun() {}

    /// What is wanted.
    record Request(Set<FuzzedWire> wires, long frames, long seed) {
        static Request of(List<String> words) {
            var request = new Request(EnumSet.allOf(FuzzedWire.class), 1_000_000, 1);
            for (var i = 0; i < words.size(); i += 2) {
                if (i + 1 == words.size()) {
                    throw new IllegalArgumentException(words.get(i) + " needs a value");
                }
                request = request.with(words.get(i), words.get(i + 1));
            }
            return request;
        }

        private Request with(String option, String value) {
            return switch (option) {
                case "--wire" -> new Request(EnumSet.of(FuzzedWire.of(value)), frames, seed);
                case "--frames" -> new Request(wires, count(value), seed);
                case "--seed" -> new Request(wires, frames, number(option, value));
                case String other ->
                        throw new IllegalArgumentException(
                                "unknown option "
                                        + other
                                        + "; there are --wire, --frames and --seed");
            };
        }

        private static long count(String value) {
            var count = number("--frames", value);
            if (count < 1 || count > MOST) {
                throw new IllegalArgumentException(
                        "--frames must be from 1 to " + MOST + ", was " + value);
            }
            return count;
        }

        private static long number(String option, String value) {
            try {
                return Long.parseLong(value);
            } catch (NumberFormatException wrong) {
                throw new IllegalArgumentException(
                        option + " needs a whole number, got \"" + value + "\"", wrong);
            }
        }
    }

    /// Exits with 0 if nothing was found, 1 if something was, 2 if the options are wrong.
    public static void main(String[] arguments) throws IOException, InterruptedException {
        try {
            var request = Request.of(List.of(arguments));
            var isSound = true;
            for (var wire : request.wires()) {
                isSound &= wire.isPresent() ? run(wire, request) : isLeftOut(wire, request);
            }
            System.exit(isSound ? 0 : FOUND);
        } catch (IllegalArgumentException wrong) {
            System.err.println("artel: " + wrong.getMessage());
            System.exit(USAGE);
        }
    }

    /// A wire that was asked for by its name is not left out.
    private static boolean isLeftOut(FuzzedWire wire, Request request) {
        print(
                wire,
                "not run, it needs " + wire.service.map(OptionalService::title).orElse("nothing"));
        return request.wires().size() > 1;
    }

    private static boolean run(FuzzedWire wire, Request request)
            throws IOException, InterruptedException {
        var folder = Files.createTempDirectory("artel-fuzz-" + wire.word() + "-");
        print(wire, request.frames() + " frames, seed " + request.seed() + ", in " + folder);
        var campaign =
                new FuzzCampaign(wire, request.frames(), request.seed(), line -> print(wire, line));
        var report = campaign.run(folder);
        report.outcomes().forEach((outcome, count) -> print(wire, outcome + ": " + count));
        print(wire, report.frames() + " frames");
        print(wire, "the worker that keeps to the protocol, before: " + report.timesAlone());
        print(wire, "the worker that keeps to the protocol, meanwhile: " + report.times());
        report.findings().forEach(finding -> print(wire, "FOUND " + finding));
        print(wire, report.findings().isEmpty() ? "nothing was found" : "see " + folder);
        return report.findings().isEmpty();
    }

    private static void print(FuzzedWire wire, String line) {
        System.out.println("fuzz " + wire.word() + ": " + line);
    }
}
