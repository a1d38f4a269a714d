package dev.artel.gateway.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.gateway.access.WorkerAuthentication.Decision;
import dev.artel.kernel.attempt.WorkerId;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tokens for patterns of names.
final class WorkerPatternsTest {
    private static WorkerTokens.Grant grant(String token) {
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8));
            return new WorkerTokens.Grant(HexFormat.of().formatHex(digest), Optional.empty());
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static WorkerTokens tokens() {
        var own = new LinkedHashMap<WorkerId, List<WorkerTokens.Grant>>();
        own.put(new WorkerId("gpu-*"), List.of(grant("of-gpus")));
        own.put(new WorkerId("gpu-eu-*"), List.of(grant("of-gpus-in-europe")));
        own.put(new WorkerId("gpu-7"), List.of(grant("of-seven")));
        return new WorkerTokens(List.of(grant("of-all")), own, InstantSource.system());
    }

    @ParameterizedTest
    @CsvSource({
        "of-gpus,gpu-1,true",
        "of-gpus,gpu-,true",
        "of-gpus,gpu-7,false",
        "of-seven,gpu-7,true",
        "of-seven,gpu-8,false",
        "of-gpus,gpu-eu-1,false",
        "of-gpus-in-europe,gpu-eu-1,true",
        "of-gpus-in-europe,gpu-us-1,false",
        "of-gpus,cpu-1,false",
        "of-all,gpu-1,false",
        "of-all,cpu-1,true",
        "of-gpus,gpu-*,false",
        "of-all,cpu-*,false",
        "of-all,*,false",
    })
    void aTokenOfAPattern_isThatOfEachNameThatHasNoOther(
            String token, String worker, boolean isGood) {
        var decision = tokens().check(token, new WorkerId(worker));

        assertThat(!(decision instanceof Decision.Refused))
                .as(decision.toString())
                .isEqualTo(isGood);
        if (isGood && !token.equals("of-all")) {
            assertThat(decision).isEqualTo(new Decision.Named(new WorkerId(worker)));
        }
    }

    @Test
    void aTokenOfAPatternWithoutAName_isGoodUntilTheNameIsKnown() {
        assertThat(tokens().check("of-gpus", null)).isEqualTo(new Decision.Unnamed());
        assertThat(tokens().check("of-none", null)).isInstanceOf(Decision.Refused.class);
    }

    @ParameterizedTest
    @CsvSource({
        "*,x,true",
        "a*b*c,a12b3c,true",
        "a*b*c,abc,true",
        "a*b*c,a12b3,false",
        "*-gpu,big-gpu,true",
        "*-gpu,big-gpu-2,false",
        "gpu-*,GPU-1,false",
        "a.c,abc,false",
    })
    void aStar_standsForAnyCharacters(String pattern, String name, boolean isMatch) {
        assertThat(WorkerNames.matches(pattern, name)).isEqualTo(isMatch);
    }
}
