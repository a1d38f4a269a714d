package dev.artel.examples.trip;

import static dev.artel.examples.trip.TripTypes.CONFIRMED;
import static dev.artel.examples.trip.TripTypes.TRIP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.artel.blueprint.Approval;
import dev.artel.client.ClientException;
import dev.artel.client.JobEvent;
import dev.artel.client.JobStatus;
import dev.artel.client.JobSubmission;
import dev.artel.client.JobView;
import dev.artel.examples.trip.TripTypes.Charge;
import dev.artel.examples.trip.TripTypes.Flight;
import dev.artel.examples.trip.TripTypes.Hotel;
import dev.artel.examples.trip.TripTypes.Itinerary;
import dev.artel.examples.trip.TripTypes.Trip;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The example from end to end, as in its README.
final class TripTest extends TravelAgency {
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
        var trip = end(job);
        assertThat(trip.status()).as("%s", trip.error()).isEqualTo(JobStatus.FINISHED);
        assertThat(trip.data().string("confirmed")).contains("seat 4A");
        assertThat(trip.data().object("payment").orElseThrow().object("result").orElseThrow())
                .isEqualTo(JsonObject.of("charge", JsonValue.of("C-1480")));
        assertThat(client.children(job)).extracting(JobView::blueprint).containsExactly("payment");
        assertThat(agency.done())
                .containsExactly("flight to Oslo", "hotel in Oslo", "charge of 1480");
    }

    @Test
    void aTripToWhichNobodyAgrees_isCompensated_fromTheLastToTheFirst() {
        var job = trip("Ada", "Oslo");

        decide(job, Approval.REJECT);

        assertThat(end(job).error()).contains("the trip was not approved");
        assertThat(agency.done())
                .containsExactly(
                        "flight to Oslo", "hotel in Oslo", "no hotel H-Oslo", "no flight to Oslo");
        assertThat(end(job).document().array("compensation").orElseThrow().stream())
                .extracting(line -> ((JsonObject) line).string("status").orElseThrow())
                .containsExactly("compensated", "compensated");
    }

    @Test
    void whoWaitsForATripThatNobodyAgreesTo_learnsWhy() {
        var trip = client.submit(TRIP, new Trip("Ada", "Oslo", 1480));
        question(trip.ref());
        assertThat(trip.status()).isEqualTo(JobStatus.WAITING_FOR_HUMAN);
        assertThatExceptionOfType(ClientException.TimedOut.class)
                .isThrownBy(() -> trip.await(Duration.ZERO))
                .withMessageContaining("is waiting_for_human in state ask");

        trip.decide(Approval.REJECT);

        assertThatExceptionOfType(ClientException.JobFailed.class)
                .isThrownBy(() -> trip.await(LONGEST))
                .withMessageContaining("the trip was not approved");
        assertThatExceptionOfType(ClientException.Conflict.class)
                .isThrownBy(() -> trip.decide(Approval.APPROVE))
                .withMessageContaining("no approval with the choices [approve, reject] now");
    }

    @Test
    void aTripThatIsCancelled_afterItWasPaid_isPaidBack() {
        var job = trip("Ada", "Oslo");
        decide(job, Approval.APPROVE);
        awaitStatus(job, JobStatus.WAITING_FOR_SIGNAL);

        client.cancel(job);

        assertThat(end(job).status()).isEqualTo(JobStatus.CANCELLED);
        assertThat(agency.done())
                .containsSubsequence(
                        "charge of 1480", "refund of 1480", "no hotel H-Oslo", "no flight to Oslo");
    }

    @Test
    void whatCannotBeCompensated_isNamedInTheEnd_besideWhyItEnded() {
        var job = trip("Miss Stuck", "Oslo");

        decide(job, Approval.REJECT);

        var trip = end(job);
        assertThat(trip.status()).isEqualTo(JobStatus.FAILED);
        assertThat(trip.error().orElseThrow())
                .startsWith(
                        "the trip was not approved; and not everything could be compensated: state"
                                + " flight: task")
                .contains("the airline does not take it back");
        assertThat(agency.done()).contains("no hotel H-Oslo");
    }

    @Test
    void aCardThatIsDeclined_isNoReasonToRefund() {
        var job = trip("Mr. Broke", "Oslo");
        decide(job, Approval.APPROVE);

        assertThat(end(job).error()).contains("the trip could not be paid");
        assertThat(agency.done()).contains("no flight to Oslo").doesNotContain("refund of 1480");
        assertThat(client.children(job).getFirst().error()).contains("the card was declined");
    }

    @Test
    void aBankThatDoesNotAnswer_isAskedWhetherItWasPaid_andNothingIsPaidTwice() {
        var job = trip("Mrs. Slow", "Oslo");
        decide(job, Approval.APPROVE);
        client.signal(job, "confirmed", "airline-18", JsonValue.of("seat 4B"));

        assertThat(end(job).status()).isEqualTo(JobStatus.FINISHED);
        assertThat(agency.done()).containsOnlyOnce("charge of 1480");
        assertThat(client.history(client.children(job).getFirst().job()))
                .extracting(JobEvent::type)
                .contains("task.failed");
    }

    @Test
    void whatAPersonDoesInstead_counts() {
        var job = trip("Ada", "Nowhere");
        awaitStatus(job, JobStatus.QUARANTINED);

        client.skip(job, JsonObject.of("hotel", JsonValue.of("a tent")));
        decide(job, Approval.APPROVE);
        client.handle(TRIP, job).signal(CONFIRMED, "airline-19", "seat 4C");

        assertThat(client.handle(TRIP, job).await(LONGEST).hotel()).isEqualTo(new Hotel("a tent"));
    }

    @Test
    void aTripIsTakenBack_orForked_toAskAgain() {
        var job = trip("Ada", "Oslo");
        decide(job, Approval.REJECT);
        assertThat(end(job).status()).isEqualTo(JobStatus.FAILED);

        var second = client.fork(job, "ask", JsonObject.EMPTY);
        assertThat(question(second).message()).contains("Ada");
        client.rewind(second, "ask", JsonObject.EMPTY);
        decide(second, Approval.APPROVE);
        awaitStatus(second, JobStatus.WAITING_FOR_SIGNAL);

        assertThat(agency.done()).containsOnlyOnce("flight to Oslo");
        client.cancel(second);
        assertThat(end(second).status()).isEqualTo(JobStatus.CANCELLED);
    }

    @Test
    void whatMakesNoSense_isRefused() {
        var job = trip("Ada", "Oslo");
        var number = question(job).number();

        assertThatExceptionOfType(ClientException.Invalid.class)
                .isThrownBy(() -> client.decide(job, number, "perhaps"))
                .withMessageContaining("perhaps");
        client.decide(job, number, "reject");
        assertThatExceptionOfType(ClientException.Conflict.class)
                .isThrownBy(() -> client.decide(job, number, "approve"));
        end(job);
        assertThatExceptionOfType(ClientException.Conflict.class)
                .isThrownBy(() -> client.signal(job, "confirmed", "late", JsonNull.NULL))
                .withMessageContaining("failed");
        assertThatExceptionOfType(ClientException.Conflict.class)
                .isThrownBy(() -> client.rewind(job, "ask", JsonObject.EMPTY));
        assertThatExceptionOfType(ClientException.Invalid.class)
                .isThrownBy(() ->
                        client.submit(
                                JobSubmission.of("trip", Map.of("traveller", "Ada", "to", "Oslo"))))
                .withMessageContaining("initial_data.price");
    }
}
