package dev.artel.server.upkeep;

import dev.artel.server.config.ServerConfig;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/// What an orchestrator that runs says of itself and a person should know.
final class Running {
    private Running() {}

    /// Nothing if it does not tell.
    static List<Finding> look(ServerConfig config, InetAddress host) {
        var findings = new ArrayList<Finding>();
        Probe.figure(config, host, "artel_webhooks_total{outcome=\"given_up\"}")
                .ifPresent(count -> findings.add(webhooks(config, host, count)));
        Probe.figure(config, host, "artel_stuck").ifPresent(count -> findings.add(stuck(count)));
        return findings;
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
                                + "; lines 'a webhook was given up' in its log say which and why, and"
                                + " POST /api/v1/jobs/{id}/webhooks/{call}/redeliver tells them once"
                                + " more");
    }

    private static Finding stuck(long jobs) {
        return jobs == 0
                ? Finding.ok("stuck", "no job waits for what cannot happen")
                : Finding.fail(
                        "stuck", jobs + " findings; GET /api/v1/stuck says which, and what to do");
    }
}
