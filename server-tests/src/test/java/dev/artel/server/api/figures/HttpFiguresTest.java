package dev.artel.server.api.figures;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class HttpFiguresTest {
    private final HttpFigures figures = new HttpFigures();

    @Test
    void timesAreCountedByRoute_andRequestsByClient() {
        figures.count("GET", "/api/v1/jobs/{id}", "acme", Duration.ofMillis(4));
        figures.count("GET", "/api/v1/jobs/{id}", "acme", Duration.ofMillis(200));
        figures.count("GET", "/api/v1/jobs/{id}", "a\"b", Duration.ofSeconds(60));

        var labels = "{method=\"GET\",route=\"/api/v1/jobs/{id}\"";
        assertThat(figures.text())
                .contains("# TYPE artel_http_request_seconds histogram\n")
                .contains("artel_http_request_seconds_bucket" + labels + ",le=\"0.005\"} 1\n")
                .contains("artel_http_request_seconds_bucket" + labels + ",le=\"0.250\"} 2\n")
                .contains("artel_http_request_seconds_bucket" + labels + ",le=\"30.000\"} 2\n")
                .contains("artel_http_request_seconds_bucket" + labels + ",le=\"+Inf\"} 3\n")
                .contains("artel_http_request_seconds_sum" + labels + "} 60.204\n")
                .contains("artel_http_request_seconds_count" + labels + "} 3\n")
                .contains("client=\"acme\",method=\"GET\",route=\"/api/v1/jobs/{id}\"} 2\n")
                .contains("client=\"a\\\"b\",method=\"GET\",route=\"/api/v1/jobs/{id}\"} 1\n");
    }

    /// Trap: each name that a client brings is a series forever.
    @Test
    void clientsForWhomThereIsNoRoom_areOne() {
        for (var i = 0; i < HttpFigures.MOST_PAIRS + 500; i++) {
            figures.count("GET", "/x", "client-" + i, Duration.ofMillis(1));
        }

        assertThat(figures.text().lines())
                .filteredOn(line -> line.startsWith("artel_http_client_requests_total"))
                .hasSize(HttpFigures.MOST_PAIRS + 1)
                .contains(
                        "artel_http_client_requests_total{client=\"(others)\",method=\"GET\",route=\"/x\"} 500");
    }
}
