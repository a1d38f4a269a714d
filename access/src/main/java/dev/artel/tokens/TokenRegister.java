package dev.artel.tokens;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// The tokens that `token add` made, and those that `token revoke` ended, wherever they come from. Digests alone.
///
/// @param revision grows by one with each change; 0: there was none
/// @param issued oldest first
/// @param revoked from when on a token is good for nothing
/// @param changes the last ones, oldest first, for the audit
public record TokenRegister(
        long revision,
        List<Issued> issued,
        SequencedMap<TokenDigest, Instant> revoked,
        List<Change> changes) {
    /// Nothing was added or revoked.
    public static final TokenRegister EMPTY =
            new TokenRegister(0, List.of(), new LinkedHashMap<>(), List.of());

    /// As many tokens may be added, and as many be revoked.
    public static final int MOST = 10_000;

    private static final int MOST_CHANGES = 1_000;

    /// What is over is shown for so long.
    private static final Duration SHOWN = Duration.ofDays(30);

    /// A token that was made by `token add`.
    ///
    /// @param by the user who made it
    public record Issued(TokenHolder holder, TokenGrant grant, Instant created, String by) {}

    /// What somebody did.
    ///
    /// @param revision of the register with it
    public record Change(long revision, Instant at, String by, String act, String detail) {}

    /// Copies the lists.
    public TokenRegister {
        issued = List.copyOf(issued);
        revoked = new LinkedHashMap<>(revoked);
        changes = List.copyOf(changes);
    }

    /// This register and a token more; what has been over for long is left out.
    ///
    /// @throws IllegalStateException if there are too many
    public TokenRegister with(Issued token) {
        var kept = kept(token.created());
        if (kept.issued.size() >= MOST) {
            throw new IllegalStateException(
                    "there are "
                            + MOST
                            + " added tokens; revoke those that no client and no worker uses");
        }
        var more = new ArrayList<>(kept.issued);
        more.add(token);
        return kept.changed(
                more,
                kept.revoked,
                token.created(),
                token.by(),
                "token added",
                describe(token.holder().toString(), token.grant()));
    }

    /// This register with the end of a token, which is good until `end` if it was so long before. An end is never put off.
    ///
    /// @param holder whose it is, for the audit
    /// @throws IllegalStateException if there are too many
    public TokenRegister ended(
            String holder, TokenDigest token, Instant end, Instant now, String by) {
        var kept = kept(now);
        if (kept.revoked.size() >= MOST && !kept.revoked.containsKey(token)) {
            throw new IllegalStateException(
                    MOST
                            + " tokens were revoked; take those that come from files out of their"
                            + " files, and remove them from access-tokens.json");
        }
        var ends = new LinkedHashMap<>(kept.revoked);
        ends.merge(token, end, (one, other) -> one.isBefore(other) ? one : other);
        return kept.changed(
                kept.issued,
                ends,
                now,
                by,
                "token revoked",
                describe(holder, new TokenGrant(token, Optional.ofNullable(ends.get(token)))));
    }

    private static String describe(String holder, TokenGrant grant) {
        return holder
                + ", "
                + grant.digest().id()
                + grant.expires().map(end -> ", good until " + end).orElse("");
    }

    private TokenRegister changed(
            List<Issued> tokens,
            SequencedMap<TokenDigest, Instant> ends,
            Instant at,
            String by,
            String act,
            String detail) {
        var log = new ArrayList<>(changes);
        log.add(new Change(revision + 1, at, by, act, detail));
        return new TokenRegister(
                revision + 1,
                tokens,
                ends,
                log.subList(Math.max(0, log.size() - MOST_CHANGES), log.size()));
    }

    /// Without the tokens of its own that have been over for long. What ended a token of another source stays, since that
    /// source may still have it.
    private TokenRegister kept(Instant now) {
        var since = now.minus(SHOWN);
        var ends = new LinkedHashMap<>(revoked);
        var tokens = new ArrayList<Issued>();
        for (var token : issued) {
            if (limited(token.grant()).isGood(since)) {
                tokens.add(token);
            } else {
                ends.remove(token.grant().digest());
            }
        }
        return new TokenRegister(revision, tokens, ends, changes);
    }

    /// `grant`, no longer than until its revocation.
    public TokenGrant limited(TokenGrant grant) {
        var end = revoked.get(grant.digest());
        return end == null ? grant : grant.until(end);
    }
}
