package dev.artel.examples.trip;

import static dev.artel.examples.trip.TripTypes.BOOK_FLIGHT;
import static dev.artel.examples.trip.TripTypes.BOOK_HOTEL;
import static dev.artel.examples.trip.TripTypes.CANCEL_FLIGHT;
import static dev.artel.examples.trip.TripTypes.CANCEL_HOTEL;
import static dev.artel.examples.trip.TripTypes.CHARGE;
import static dev.artel.examples.trip.TripTypes.LOOK_UP_CHARGE;
import static dev.artel.examples.trip.TripTypes.REFUND;

import dev.artel.examples.trip.TripTypes.Charge;
import dev.artel.examples.trip.TripTypes.Flight;
import dev.artel.examples.trip.TripTypes.Hotel;
import dev.artel.examples.trip.TripTypes.Trip;
import dev.artel.json.JsonObject;
import dev.artel.worker.PermanentFailure;
import dev.artel.worker.Result;
import dev.artel.worker.WorkerBuilder;
import java.util.ArrayList;
import java.util.List;

/// Airline, hotel and bank in one, which remember what they were asked. Thread-safe.
///
/// The names of travellers decide what happens to them: `Mr. Broke` has no money, the bank hangs on `Mrs. Slow`, and no airline takes back a flight of
/// `Miss Stuck`. There is no hotel in `Nowhere` until one is built.
final class TripWorker {
    private final List<String> done = new ArrayList<>();
    private boolean isBuilt;

    /// A worker that does all of this.
    WorkerBuilder on(WorkerBuilder worker) {
        return worker.handle(BOOK_FLIGHT, this::bookFlight)
                .handleVoid(CANCEL_FLIGHT, this::cancelFlight)
                .handle(BOOK_HOTEL, this::bookHotel)
                .handleVoid(CANCEL_HOTEL, this::cancelHotel)
                .handle(CHARGE, (trip, _) -> charge(trip))
                .handle(LOOK_UP_CHARGE, (trip, _) -> lookUpCharge(trip))
                .handleVoid(REFUND, this::refund);
    }

    Flight bookFlight(Trip trip) {
        note("flight to " + trip.to());
        return new Flight("F-" + trip.to());
    }

    private void cancelFlight(Trip trip) throws PermanentFailure {
        if (trip.traveller().equals("Miss Stuck")) {
            throw new PermanentFailure("the airline does not take it back");
        }
        note("no flight to " + trip.to());
    }

    private Hotel bookHotel(Trip trip) throws PermanentFailure {
        if (trip.to().equals("Nowhere") && !isBuilt()) {
            throw new PermanentFailure("there is no hotel in Nowhere");
        }
        note("hotel in " + trip.to());
        return new Hotel("H-" + trip.to());
    }

    private void cancelHotel(Hotel hotel) {
        note("no hotel " + hotel.hotel());
    }

    private Result charge(Trip trip) throws InterruptedException {
        if (trip.traveller().equals("Mr. Broke")) {
            return Result.of("declined", JsonObject.EMPTY);
        }
        note("charge of " + trip.price());
        if (trip.traveller().equals("Mrs. Slow")) {
            // The bank hangs: until the attempt is taken back, which interrupts this.
            Thread.sleep(60_000);
        }
        return Result.successOf(new Charge("C-" + trip.price()));
    }

    private Result lookUpCharge(Trip trip) {
        return done().contains("charge of " + trip.price())
                ? Result.successOf(new Charge("C-" + trip.price()))
                : Result.of("none", JsonObject.EMPTY);
    }

    private void refund(Trip trip) {
        // A payment that was cut short may have been made or not.
        if (done().contains("charge of " + trip.price())) {
            note("refund of " + trip.price());
        }
    }

    /// From now on there is a hotel in `Nowhere`.
    synchronized void build() {
        isBuilt = true;
    }

    private synchronized boolean isBuilt() {
        return isBuilt;
    }

    synchronized List<String> done() {
        return List.copyOf(done);
    }

    private synchronized void note(String what) {
        done.add(what);
    }
}
