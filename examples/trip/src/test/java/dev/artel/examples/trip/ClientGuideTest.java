package dev.artel.examples.trip;

import static dev.artel.examples.trip.TripTypes.CONFIRMED;
import static dev.artel.examples.trip.TripTypes.TRIP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.blueprint.Approval;
import dev.artel.client.JobStatus;
import dev.artel.examples.trip.TripTypes.Itinerary;
import dev.artel.examples.trip.TripTypes.Trip;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// The blocks of `client/README.md` and of `docs/blueprints.md` in which a client has a trip.
final class ClientGuideTest extends TravelAgency {
    @Test
    void aTrip_isSubmitted_decided_andConfirmed() {
        var job = client.submit(TRIP, new Trip("Ada", "Oslo", 400));
        awaitStatus(job.ref(), JobStatus.WAITING_FOR_HUMAN);
        job.decide(Approval.APPROVE);
        job.signal(CONFIRMED, "seat 4A");
        Itinerary itinerary = job.await(Duration.ofDays(3));
        assertThat(itinerary.seat()).isEqualTo("seat 4A");
    }

    @Test
    void aSignal_hasAnIdOfItsOwn() {
        var job = client.submit(TRIP, new Trip("Ada", "Oslo", 400));
        job.signal(CONFIRMED, "pnr-4711", "seat 12A");
        awaitStatus(job.ref(), JobStatus.WAITING_FOR_HUMAN);
        job.decide(Approval.APPROVE);

        Itinerary itinerary = client.handle(TRIP, job.ref()).await(Duration.ofDays(3));
        assertThat(itinerary.seat()).isEqualTo("seat 12A");
    }
}
