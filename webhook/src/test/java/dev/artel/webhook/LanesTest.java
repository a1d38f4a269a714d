package dev.artel.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.config.WebhookSettings;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class LanesTest {
    private final Lanes lanes = new Lanes(new WebhookSettings.Limits(16, 4, 100, 1_000, 4096));
    private int number;

    private WebhookDelivery parcel(String client, String host) {
        return new WebhookDelivery(
                client + "-" + host + "-" + number++,
                "job",
                Optional.empty(),
                Optional.empty(),
                "job_finished",
                URI.create("https://" + host + "/"),
                client,
                Instant.EPOCH,
                () -> new WebhookDelivery.Sent(URI.create("https://a/"), List.of(""), new byte[0]),
                _ -> {});
    }

    private void ready(String client, String host, int calls) {
        for (var i = 0; i < calls; i++) {
            var webhookDelivery = parcel(client, host);
            assertThat(lanes.hasRoom(webhookDelivery.place)).isTrue();
            lanes.add(webhookDelivery);
            lanes.ready(webhookDelivery);
        }
    }

    private List<WebhookDelivery> start() {
        var started = new ArrayList<WebhookDelivery>();
        for (var next = lanes.next(); next.isPresent(); next = lanes.next()) {
            started.add(next.get());
        }
        return started;
    }

    private void end(WebhookDelivery webhookDelivery) {
        lanes.over(webhookDelivery.place);
        lanes.freed(webhookDelivery.place);
    }

    /// Trap: turns go by receivers alone, and who names many of them has most of the turns.
    @Test
    void aClientWithManyDeadReceivers_leavesRoomForTheNext() {
        for (var host = 0; host < 50; host++) {
            ready("greedy", "dead" + host, 3);
        }
        assertThat(start()).hasSize(8);

        ready("modest", "alive", 3);

        assertThat(start())
                .extracting(webhookDelivery -> webhookDelivery.place.owner())
                .containsOnly("modest");
    }

    @Test
    void aDeadReceiver_leavesItsClientRoomForOthers() {
        ready("one", "dead", 20);
        assertThat(start()).hasSize(4);

        ready("one", "alive", 1);

        assertThat(start())
                .extracting(webhookDelivery -> webhookDelivery.place.host())
                .containsExactly("alive:-1");
    }

    @Test
    void clientsTakeTurns_andTheReceiversOfAClientDo() {
        ready("a", "x", 3);
        ready("a", "y", 1);
        ready("b", "z", 2);

        assertThat(start())
                .extracting(webhookDelivery ->
                        webhookDelivery.place.owner() + " " + webhookDelivery.place.host())
                .containsExactly("a x:-1", "b z:-1", "a y:-1", "b z:-1", "a x:-1", "a x:-1");
    }

    @Test
    void ofWhatMayWait_noClientTakesAll_andNoReceiverAllOfItsClient() {
        var all = new Lanes(new WebhookSettings.Limits(1, 1, 1_000, 1_000, 4096));
        for (var one : List.of("a", "b")) {
            for (var host : List.of("x", "y", "z")) {
                var webhookDelivery = parcel(one, host);
                while (all.hasRoom(webhookDelivery.place)) {
                    all.add(webhookDelivery);
                }
            }
            assertThat(all.hasRoom(parcel(one, "other").place)).isTrue();
        }

        assertThat(all.hasRoom(parcel("c", "x").place)).isTrue();
    }

    @Test
    void whatIsOver_makesRoom_andIsForgotten() {
        for (var round = 0; round < 100; round++) {
            ready("a", "x", 20);
            for (var started = start(); !started.isEmpty(); started = start()) {
                assertThat(started).hasSize(4);
                started.forEach(this::end);
            }
        }
        assertThat(lanes.isEmpty()).isTrue();
    }
}
