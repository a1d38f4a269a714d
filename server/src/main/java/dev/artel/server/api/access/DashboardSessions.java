package dev.artel.server.api.access;

import dev.artel.tokens.TokenDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/// Who is logged in at the dashboard, and the one-time codes with which people log in. All is in memory and bounded: of too
/// many sessions or codes, those that were used longest ago end. Keeps digests in place of the cookies and the codes, and
/// of each token its digest. Safe for use by many threads.
public final class DashboardSessions {
    private static final int SECRET_BYTES = 32;

    private final SecureRandom random = new SecureRandom();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile Limits limits;
    private final InstantSource clock;

    /// By the digest of the cookie, that which was used longest ago first; guarded by the lock.
    private final LinkedHashMap<TokenDigest, Session> sessions =
            new LinkedHashMap<>(16, 0.75f, true);

    /// By the digest of the code, the oldest first; guarded by the lock.
    private final LinkedHashMap<TokenDigest, Link> links = new LinkedHashMap<>();

    /// How many there may be, and for how long.
    ///
    /// @param sessions of all clients together
    /// @param perToken sessions, and codes, of one token
    /// @param links codes of all clients together
    /// @param idle a session without a request and without an open stream for so long ends
    /// @param longest a session ends after so long in any case
    /// @param link a code can be used for so long
    public record Limits(
            int sessions, int perToken, int links, Duration idle, Duration longest, Duration link) {
        /// 1,000 sessions that end after 12 hours without use and after 7 days; codes for 5 minutes.
        public static final Limits DEFAULTS =
                new Limits(
                        1_000,
                        100,
                        1_000,
                        Duration.ofHours(12),
                        Duration.ofDays(7),
                        Duration.ofMinutes(5));

        /// These limits with other times of sessions.
        public Limits withTimes(Duration idleTime, Duration longestTime) {
            return new Limits(sessions, perToken, links, idleTime, longestTime, link);
        }
    }

    /// A session that is open.
    ///
    /// @param id the digest of its cookie
    /// @param token with which the person logged in
    /// @param csrf what requests that change something repeat in a header
    /// @param ends when it ends at the latest
    public record Open(TokenDigest id, TokenDigest token, String csrf, Instant ends) {}

    /// A session that has just begun.
    ///
    /// @param cookie the secret that the browser keeps
    public record Begun(String cookie, Open session) {}

    /// A code for one login.
    ///
    /// @param expires exclusive
    public record Code(String code, Instant expires) {}

    private record Link(TokenDigest token, Instant expires) {}

    /// When it was used last is guarded by the lock.
    private static final class Session {
        private final Open open;
        private Instant used;

        Session(Open open, Instant used) {
            this.open = open;
            this.used = used;
        }
    }

    /// Nobody is logged in yet.
    public DashboardSessions(Limits limits, InstantSource clock) {
        this.limits = limits;
        this.clock = clock;
    }

    /// Exchanges the limits. Sessions that are open keep the end that they have; without use, they end by the new limits.
    public void use(Limits others) {
        limits = others;
    }

    /// Begins a session of the client to whom `token` belongs.
    public Begun begin(TokenDigest token) {
        var cookie = secret();
        var now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        var open = new Open(TokenDigest.of(cookie), token, secret(), now.plus(limits.longest()));
        lock.lock();
        try {
            sessions.values().removeIf(each -> isOver(each, now));
            var own =
                    sessions.values().stream()
                            .map(each -> each.open)
                            .filter(each -> each.token().equals(token))
                            .toList();
            if (own.size() >= limits.perToken()) {
                sessions.remove(own.getFirst().id());
            } else if (sessions.size() >= limits.sessions()) {
                sessions.pollFirstEntry();
            }
            sessions.put(open.id(), new Session(open, now));
        } finally {
            lock.unlock();
        }
        return new Begun(cookie, open);
    }

    /// The session of `cookie`, which is used now; empty if there is none, or none any more.
    public Optional<Open> use(String cookie) {
        return use(TokenDigest.of(cookie));
    }

    /// The session with the id `id`, which is used now; empty if there is none, or none any more.
    public Optional<Open> use(TokenDigest id) {
        var now = clock.instant();
        lock.lock();
        try {
            var session = sessions.get(id);
            if (session == null) {
                return Optional.empty();
            }
            if (isOver(session, now)) {
                sessions.remove(id);
                return Optional.empty();
            }
            session.used = now;
            return Optional.of(session.open);
        } finally {
            lock.unlock();
        }
    }

    private boolean isOver(Session session, Instant now) {
        return !now.isBefore(session.open.ends())
                || !now.isBefore(session.used.plus(limits.idle()));
    }

    /// Ends the session with the id `id`, if there is one.
    public void end(TokenDigest id) {
        lock.lock();
        try {
            sessions.remove(id);
        } finally {
            lock.unlock();
        }
    }

    /// A code with which one login in place of `token` is possible.
    public Code link(TokenDigest token) {
        var code = secret();
        var now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        var expires = now.plus(limits.link());
        lock.lock();
        try {
            links.values().removeIf(each -> !now.isBefore(each.expires()));
            var own =
                    links.entrySet().stream()
                            .filter(each -> each.getValue().token().equals(token))
                            .toList();
            if (own.size() >= limits.perToken()) {
                links.remove(own.getFirst().getKey());
            } else if (links.size() >= limits.links()) {
                links.pollFirstEntry();
            }
            links.put(TokenDigest.of(code), new Link(token, expires));
        } finally {
            lock.unlock();
        }
        return new Code(code, expires);
    }

    /// The token for which `code` stands, which cannot be used again; empty if it is unknown, was used or has expired.
    public Optional<TokenDigest> redeem(String code) {
        lock.lock();
        try {
            var link = links.remove(TokenDigest.of(code));
            return link == null || !clock.instant().isBefore(link.expires())
                    ? Optional.empty()
                    : Optional.of(link.token());
        } finally {
            lock.unlock();
        }
    }

    /// The token for which `code` stands, which can still be used; empty if it is unknown, was used or has expired.
    Optional<TokenDigest> tokenOf(String code) {
        lock.lock();
        try {
            return Optional.ofNullable(links.get(TokenDigest.of(code)))
                    .filter(link -> clock.instant().isBefore(link.expires()))
                    .map(Link::token);
        } finally {
            lock.unlock();
        }
    }

    /// How many sessions there are, with those that are over and were not asked for since.
    public int size() {
        lock.lock();
        try {
            return sessions.size();
        } finally {
            lock.unlock();
        }
    }

    private String secret() {
        var bytes = new byte[SECRET_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
