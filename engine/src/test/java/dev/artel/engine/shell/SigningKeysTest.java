package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonValue;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.KeyValueStore;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class SigningKeysTest {
    private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
    private static final Duration DAY = Duration.ofDays(1);
    private static final byte[] TEXT = {1, 2, 3};

    private final KeyValueStore store = new InMemory();
    private final SigningKeys keys = new SigningKeys(store, "keys");

    private static final class InMemory implements KeyValueStore {
        private final Map<String, Entry> entries = new LinkedHashMap<>();

        @Override
        public Optional<Entry> get(String space, String key) {
            return Optional.ofNullable(entries.get(space + '/' + key));
        }

        @Override
        public OptionalLong put(String space, String key, long expected, JsonValue value) {
            var at = get(space, key).map(Entry::version).orElse(NO_ENTRY);
            if (expected != ANY_VERSION && expected != at) {
                return OptionalLong.empty();
            }
            entries.put(space + '/' + key, new Entry(key, at + 1, value));
            return OptionalLong.of(at + 1);
        }

        @Override
        public boolean remove(String space, String key, long expected) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<Entry> list(String space, String prefix, String after, int limit) {
            throw new UnsupportedOperationException();
        }
    }

    @Test
    void theNewestKeySigns_andWhatTheOneBeforeSigned_isGoodUntilItExpires() {
        var first = keys.sign(TEXT);

        keys.rotate(NOW, DAY);

        var second = keys.sign(TEXT);
        assertThat(second).isNotEqualTo(first);
        assertThat(keys.signatures(TEXT, NOW)).containsExactly(second, first);
        assertThat(keys.signatures(TEXT, NOW.plus(DAY))).containsExactly(second);
    }

    /// Trap: keys from before a restart, or of an earlier version, are not found again.
    @Test
    void theKeysAreTheSame_forWhoReadsThemAgain() {
        var first = keys.sign(TEXT);
        assertThat(new SigningKeys(store, "keys").sign(TEXT)).isEqualTo(first);

        keys.rotate(NOW, DAY);

        assertThat(new SigningKeys(store, "keys").signatures(TEXT, NOW))
                .containsExactlyElementsOf(keys.signatures(TEXT, NOW));
        assertThat(new SigningKeys(store, "others").sign(TEXT)).isNotEqualTo(first);
    }

    @Test
    void withNoOverlap_whatWasSignedBefore_isGoodNoLonger() {
        keys.rotate(NOW, DAY);
        keys.rotate(NOW, Duration.ZERO);

        assertThat(keys.shown(NOW)).hasSize(1);
        assertThat(keys.shown(NOW).getFirst().number()).isEqualTo(3);
    }

    /// Trap: a second change puts off the end of the first key.
    @Test
    void anEnd_isNeverPutOff() {
        keys.rotate(NOW, DAY);
        keys.rotate(NOW, DAY.multipliedBy(10));

        assertThat(keys.signatures(TEXT, NOW)).hasSize(3);
        assertThat(keys.signatures(TEXT, NOW.plus(DAY))).hasSize(2);
    }

    @Test
    void tooManyGenerationsAtOnce_areRefused() {
        for (var i = 1; i < SigningKeys.MOST; i++) {
            keys.rotate(NOW, DAY);
        }

        assertThatThrownBy(() -> keys.rotate(NOW, DAY))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("wait until one has expired");
        assertThat(keys.shown(NOW)).hasSize(SigningKeys.MOST);
    }

    @Test
    void aTokenOfAnApproval_saysItsStep_asLongAsItsKeyIsGood() {
        var tokens = new ApprovalTokens(store);
        var job = new JobId("job");
        var step = new EffectId(17, 0);
        var token = tokens.token(job, step);

        tokens.keys().rotate(NOW, DAY);

        assertThat(tokens.step(job, token, NOW)).contains(step);
        assertThat(tokens.step(job, tokens.token(job, step), NOW.plus(DAY))).contains(step);
        assertThat(tokens.step(job, token, NOW.plus(DAY))).isEmpty();
        assertThat(tokens.step(new JobId("other"), token, NOW)).isEmpty();
        for (var wrong :
                new String[] {
                    "",
                    ".",
                    "17.0.",
                    "17.0",
                    token.substring(1),
                    token + "x",
                    "18" + token.substring(2),
                    "x".repeat(100_000)
                }) {
            assertThat(tokens.step(job, wrong, NOW)).as(wrong).isEmpty();
        }
    }
}
