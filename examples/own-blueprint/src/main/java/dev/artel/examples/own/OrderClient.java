package dev.artel.examples.own;

import static dev.artel.examples.own.OrderBlueprint.ORDER;

import dev.artel.client.ArtelClient;
import dev.artel.client.ClientException;
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
        try {
            System.out.println(order(System.getenv(), new Order("lamp", 2, 30)));
        } catch (ClientException failed) {
            System.err.println("order: " + failed.getMessage() + whatToDo(failed));
            System.exit(1);
        }
    }

    private static String whatToDo(ClientException failed) {
        return switch (failed) {
            case ClientException.Unauthorized _ ->
                    "; set CLIENT_TOKEN to what ./artel token show client prints";
            case ClientException.TimedOut _ -> "; a worker runs with ./artel order worker";
            default -> "";
        };
    }

    static Sent order(Map<String, String> environment, Order order) {
        var url = environment.getOrDefault("ORCHESTRATOR_URL", "");
        var uri = URI.create(url.isBlank() ? "http://127.0.0.1:8080" : url);
        var token = environment.getOrDefault("CLIENT_TOKEN", "");
        try (var client = ArtelClient.of(uri, token)) {
            return client.submit(ORDER, order, job -> job.withLabel("shop", "example"))
                    .await(Duration.ofMinutes(1));
        }
    }
}
