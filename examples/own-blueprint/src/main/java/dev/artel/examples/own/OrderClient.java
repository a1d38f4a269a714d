package dev.artel.examples.own;

import static dev.artel.examples.own.OrderBlueprint.ORDER;

import dev.artel.client.ArtelClient;
import dev.artel.examples.own.OrderBlueprint.Order;
import dev.artel.examples.own.OrderBlueprint.Sent;
import java.net.URI;
import java.time.Duration;
import java.util.Map;

/// Orders lamps.
public final class OrderClient {
    private OrderClient() {}

    /// The environment sets `ORCHESTRATOR_URL` and `CLIENT_TOKEN`.
    public static void main(String[] arguments) {
        System.out.println(order(System.getenv(), new Order("lamp", 2, 30)));
    }

    static Sent order(Map<String, String> environment, Order order) {
        var uri = URI.create(environment.getOrDefault("ORCHESTRATOR_URL", "http://127.0.0.1:8080"));
        var token = environment.getOrDefault("CLIENT_TOKEN", "");
        try (var client = ArtelClient.of(uri, token)) {
            return client.submit(ORDER, order, job -> job.withLabel("shop", "example"))
                    .await(Duration.ofMinutes(1));
        }
    }
}
