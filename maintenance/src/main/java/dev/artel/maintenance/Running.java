package dev.artel.maintenance;

import dev.artel.config.ServerConfig;
import dev.artel.engine.shell.MissingDefinitionLines;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What an orchestrator that runs reports of itself and a person should know.
final class Running {
    /// A backup or a look of the doctor may read for as many seconds.
    private static final long LONG_READ = 60;

    private Running() {}

    /// Nothing if it does not answer.
    static List<Finding> look(ServerConfig config, InetAddress host, Path data) {
        var findings = new ArrayList<Finding>();
        Probe.figure(config, host, "artel_webhooks_total{outcome=\"given_up\"}")
                .ifPresent(count -> findings.add(webhooks(config, host, count)));
        Probe.figure(config, host, "artel_stuck").ifPresent(count -> findings.add(stuck(count)));
        Probe.figure(config, host, "artel_definitions_missing")
                .ifPresent(count -> findings.add(definitions(config, host, count)));
        Probe.figure(config, host, "artel_store_log_held_seconds")
                .ifPresent(seconds -> findings.add(log(config, host, data, seconds)));
        Probe.figure(config, host, "artel_backup_age_seconds")
                .ifPresent(seconds -> findings.add(copy(config, seconds)));
        Probe.figure(config, host, "artel_unreadable")
                .ifPresent(count -> findings.add(unreadable(count)));
        return findings;
    }

    private static Finding copy(ServerConfig config, long seconds) {
        var text = "the copy in backup.to is " + seconds + " s behind";
        return seconds <= 30 + 3 * config.backup().every().toSeconds()
                ? Finding.ok("copy", text)
                : Finding.fail(
                        "copy",
                        text
                                + "; lines of artel-backup's in the log of the orchestrator state why,"
                                + " and what it has not would be lost with the disk");
    }

    private static Finding unreadable(long jobs) {
        return jobs == 0
                ? Finding.ok("jobs", "all open jobs could be read")
                : Finding.fail(
                        "jobs",
                        jobs
                                + " open jobs cannot be read or were set aside; GET /api/v1/unreadable shows"
                                + " which, and why");
    }

    private static Finding webhooks(ServerConfig config, InetAddress host, long givenUp) {
        var waiting = Probe.figure(config, host, "artel_webhooks_pending").orElse(0);
        var text =
                givenUp
                        + " calls given up since the start of the orchestrator, "
                        + waiting
                        + " wait";
        return givenUp == 0
                ? Finding.ok("webhooks", text)
                : Finding.warn(
                        "webhooks",
                        text
                                + "; lines 'a webhook was given up' in its log name which and why, and"
                                + " POST /api/v1/jobs/{id}/webhooks/{call}/redeliver sends them once"
                                + " more");
    }

    private static Finding definitions(ServerConfig config, InetAddress host, long missing) {
        var held = Probe.figure(config, host, "artel_jobs_held").orElse(0);
        return missing == 0
                ? Finding.ok("definitions", "those of all open jobs are there")
                : Finding.warn(
                        "definitions",
                        missing
                                + " of open jobs are missing, "
                                + held
                                + " jobs are held"
                                + named(Probe.problems(config, host))
                                + "; lines '"
                                + MissingDefinitionLines.STEPS_HELD
                                + "' and '"
                                + MissingDefinitionLines.CHILD_HELD
                                + "' of the log name the jobs: put their jars back and start the"
                                + " orchestrator again, or correct a mistyped name and rewind the job");
    }

    private static String named(List<String> problems) {
        var held =
                problems.stream().filter(problem -> problem.startsWith("jobs are held: ")).toList();
        return held.isEmpty() ? "" : " (" + String.join("; ", held) + ")";
    }

    private static Finding log(ServerConfig config, InetAddress host, Path data, long heldSeconds) {
        var text =
                "the log of the database has "
                        + (Probe.figure(config, host, "artel_store_log_bytes").orElse(0) >> 20)
                        + " MiB";
        if (heldSeconds < LONG_READ) {
            return Finding.ok("log", text);
        }
        var file = data.toAbsolutePath().normalize().resolve(DataFiles.DATABASE);
        var holders = OpenFiles.holders(file, owner(file));
        return Finding.warn(
                "log",
                text
                        + " and cannot be emptied, since another program has been reading for "
                        + heldSeconds
                        + " s; end it: "
                        + (holders.isEmpty()
                                ? "this user cannot see which one it is"
                                : String.join(", ", holders)));
    }

    private static String owner(Path file) {
        try {
            return Files.readString(file.resolveSibling(file.getFileName() + ".lock")).strip();
        } catch (IOException unknown) {
            return "";
        }
    }

    private static Finding stuck(long jobs) {
        return jobs == 0
                ? Finding.ok("stuck", "no job waits for what cannot happen")
                : Finding.fail(
                        "stuck", jobs + " findings; GET /api/v1/stuck shows which, and what to do");
    }
}
