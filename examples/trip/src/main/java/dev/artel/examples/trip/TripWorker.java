package dev.artel.examples.trip;

import dev.artel.examples.trip.TripBlueprint.Trip;
import dev.artel.json.JsonObject;
import dev.artel.worker.Handles;
import dev.artel.worker.PermanentFailure;
import dev.artel.worker.Result;
import java.util.ArrayList;
import java.util.List;

/// Airline, hotel and bank in one, which remember what they were asked. Thread-safe.
///
/// Travellers have telling names: `Mr. Broke` has no money, the bank hangs on `Mrs. Slow`, and no airline takes back a flight of
/// `Miss Stuck`. There is no hotel in `Nowhere` until one is built.
final class TripWorker {
    record Flight(String flight) {}

    record Hotel(String hotel) {}

    record Charge(String charge) {}

    private final List<String> done = new ArrayList<>();
    private boolean isBuilt;

    @Handles("book_flight")
    Flight bookFlight(Trip trip) {
        note("flight to " + trip.to());
        return new Flight("F-" + trip.to());
    }

    @Handles("cancel_flight")
    Result cancelFlight(Trip trip) throws PermanentFailure {
        if (trip.traveller().equals("Miss Stuck")) {
            throw new PermanentFailure("the airline does not take it back");
        }
        note("no flight to " + trip.to());
        return Result.success();
    }

    @Handles("book_hotel")
    Hotel bookHotel(Trip trip) throws PermanentFailure {
        if (trip.to().equals("Nowhere") && !isBuilt()) {
            throw new PermanentFailure("there is no hotel in Nowhere");
        }
        note("hotel in " + trip.to());
        return new Hotel("H-" + trip.to());
    }

    @Handles("cancel_hotel")
    Result cancelHotel(Hotel hotel) {
        note("no hotel " + hotel.hotel());
        return Result.success();
    }

    @Handles("charge")
    Result charge(Trip trip) throws InterruptedException {
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

    @Handles("look_up_charge")
    Result lookUpCharge(Trip trip) {
        return done().contains("charge of " + trip.price())
                ? Result.successOf(new Charge("C-" + trip.price()))
                : Result.of("none", JsonObject.EMPTY);
    }

    @Handles("refund")
    Result refund(Trip trip) {
        // A payment that was cut short may have been made or not.
        if (done().contains("charge of " + trip.price())) {
            note("refund of " + trip.price());
        }
        return Result.success();
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
