package dev.artel.access;

import dev.artel.config.AccessSettings.Rates;
import dev.artel.gateway.access.AddressBlock;
import dev.artel.gateway.access.TokenConnections;
import dev.artel.gateway.access.WorkerLimits;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.log.ForeignText;
import dev.artel.log.LinesAMinute;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How often workers may ask, each on its own, by the rates that are in force.
final class WorkerRates implements WorkerLimits {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerRates.class);

    private final RateLimiter rateLimiter;
    private final TokenConnections connections;
    private final LinesAMinute lines;
    private final Supplier<Rates> inForce;

    /// @param lines for messages that are refused
    WorkerRates(
            RateLimiter rateLimiter,
            TokenConnections connections,
            LinesAMinute lines,
            Supplier<Rates> inForce) {
        this.lines = lines;
        this.rateLimiter = rateLimiter;
        this.connections = connections;
        this.inForce = inForce;
    }

    @Override
    public TokenConnections connections() {
        return connections;
    }

    @Override
    public Optional<Duration> take(WorkerId worker, Kind kind) {
        return rateLimiter.take(key(worker, kind));
    }

    /// In KiB, so that as many as there may be are a number of the bucket's.
    @Override
    public Optional<Duration> takeBytes(WorkerId worker, long bytes) {
        var most = kibibytes(inForce.get().bytes());
        return rateLimiter.take(
                new RateLimiter.Key(worker.value(), "BYTES", most),
                Math.min(kibibytes(bytes), most));
    }

    /// An address that sends wrong tokens, or a network of IPv6, gets slower answers and fills no log; all together have some lines a minute.
    @Override
    public Optional<Duration> refused(String from, String reason) {
        var after =
                rateLimiter.take(
                        new RateLimiter.Key(
                                AddressBlock.of(from),
                                "refused worker",
                                RateLimiter.REFUSED_PER_MINUTE));
        if (after.isEmpty()) {
            lines.log(
                    LOG.atWarn()
                            .addKeyValue("from", from)
                            .addKeyValue(
                                    "reason",
                                    ForeignText.shown(reason, ForeignText.MOST_OF_MESSAGE)),
                    "a message of a worker was refused");
        }
        return after;
    }

    private static int kibibytes(long bytes) {
        return (int) Math.min(Integer.MAX_VALUE, (bytes + 1023) >> 10);
    }

    @Override
    public void giveBack(WorkerId worker, Kind kind) {
        rateLimiter.giveBack(key(worker, kind));
    }

    private RateLimiter.Key key(WorkerId worker, Kind kind) {
        var rates = inForce.get();
        var perMinute =
                switch (kind) {
                    case HEARTBEAT -> rates.heartbeats();
                    case POLL -> rates.polls();
                    case OTHER -> rates.others();
                };
        return new RateLimiter.Key(worker.value(), kind.name(), perMinute);
    }
}
