package dev.artel.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.eclipse.jetty.http.HttpFields;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the requests that are answered before the routes take for their token.
final class BearerTokenTest {
    @ParameterizedTest
    @CsvSource({
        "Bearer a, a, a",
        "bearer a, , a",
        " , a, a",
        " , , ",
        "Bearer a, b, ",
        "Basic a, a, ",
    })
    void aTokenIsSure_ifBothHeadersNameTheSame_orOneAlone(
            String authorization, String older, String sure) {
        var headers = HttpFields.build();
        if (authorization != null) {
            headers.add("Authorization", authorization);
        }
        if (older != null) {
            headers.add("X-Worker-Token", older);
        }

        assertThat(BearerToken.sure(headers, "X-Worker-Token")).isEqualTo(sure);
    }
}
