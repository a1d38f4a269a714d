package dev.artel.examples.trip;

import static dev.artel.examples.trip.TripTypes.CONFIRMED;
import static dev.artel.examples.trip.TripTypes.TRIP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.blueprint.Approval;
import dev.artel.blueprint.Blueprint;
import dev.artel.examples.trip.TripTypes.Charge;
import dev.artel.examples.trip.TripTypes.Flight;
import dev.artel.examples.trip.TripTypes.Hotel;
import dev.artel.examples.trip.TripTypes.Itinerary;
import org.junit.jupiter.api.Test;

/// The trip as a durable function from end to end.
final class BookedByFunctionTest extends TravelAgency {
    @Override
    Blueprint trip() {
        return TripFunction.trip();
    }

    @Test
    void aTripToWhichSomebodyAgrees_isPaidAndConfirmed() {
        var job = trip("Ada", "Oslo");
        assertThat(question(job).message()).isEqualTo("May Ada fly to Oslo for 1,480 euros?");

        decide(job, Approval.APPROVE);
        client.handle(TRIP, job).signal(CONFIRMED, "airline-17", "seat 4A");

        assertThat(client.handle(TRIP, job).await(LONGEST))
                .isEqualTo(
                        new Itinerary(
                                new Flight("F-Oslo"),
                                new Hotel("H-Oslo"),
                                new Charge("C-1480"),
                                "seat 4A"));
    }

    @Test
    void aTripToWhichNobodyAgrees_isCompensated_withWhatTheHotelGave() {
        var job = trip("Ada", "Oslo");

        decide(job, Approval.REJECT);

        assertThat(end(job).error().orElseThrow()).startsWith("the trip was not approved");
        assertThat(agency.done())
                .containsExactly(
                        "flight to Oslo", "hotel in Oslo", "no hotel H-Oslo", "no flight to Oslo");
    }
}
