package dev.artel.examples.trip;

import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.Nothing;
import dev.artel.blueprint.Signal;
import dev.artel.blueprint.TaskType;

/// What the blueprints, the worker and clients call things, and what these carry.
final class TripTypes {
    /// What a client submits; `price` in whole euros.
    record Trip(String traveller, String to, int price) {}

    record Flight(String flight) {}

    record Hotel(String hotel) {}

    record Charge(String charge) {}

    record Itinerary(Flight flight, Hotel hotel, Charge payment, String seat) {}

    static final BlueprintType<Trip, Itinerary> TRIP =
            BlueprintType.of("trip", Trip.class, Itinerary.class);
    static final BlueprintType<Trip, Charge> PAYMENT =
            BlueprintType.of("payment", Trip.class, Charge.class);

    static final TaskType<Trip, Flight> BOOK_FLIGHT =
            TaskType.of("book_flight", Trip.class, Flight.class);
    static final TaskType<Trip, Nothing> CANCEL_FLIGHT = TaskType.of("cancel_flight", Trip.class);
    static final TaskType<Trip, Hotel> BOOK_HOTEL =
            TaskType.of("book_hotel", Trip.class, Hotel.class);
    static final TaskType<Hotel, Nothing> CANCEL_HOTEL = TaskType.of("cancel_hotel", Hotel.class);
    static final TaskType<Trip, Charge> CHARGE = TaskType.of("charge", Trip.class, Charge.class);
    static final TaskType<Trip, Charge> LOOK_UP_CHARGE =
            TaskType.of("look_up_charge", Trip.class, Charge.class);
    static final TaskType<Trip, Nothing> REFUND = TaskType.of("refund", Trip.class);

    /// The seat.
    static final Signal<String> CONFIRMED = Signal.of("confirmed", String.class);

    private TripTypes() {}

    /// What a person decides.
    static String question(Trip trip) {
        return "May %s fly to %s for %,d euros?"
                .formatted(trip.traveller(), trip.to(), trip.price());
    }
}
