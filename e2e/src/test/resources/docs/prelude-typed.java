// Around each block of Java in a document that is of typed states or of a function, see JavaSnippets.
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.blueprint.*;
import dev.artel.client.*;
import dev.artel.json.*;
import dev.artel.json.text.JsonText;
import dev.artel.worker.Worker;
import java.nio.file.*;
import java.time.*;
import java.util.*;

abstract class Snippet {
    record Trip(String traveller, String to, int price) {}

    record Flight(String flight) {}

    record Hotel(String hotel) {}

    record Charge(String charge) {}

    record Itinerary(Flight flight, Hotel hotel, Charge payment, String seat) {}

    interface Airline {
        Flight book(Trip trip);
    }

    static final BlueprintType<Trip, Itinerary> TRIP = BlueprintType.of("trip", Trip.class, Itinerary.class);
    static final BlueprintType<Trip, Charge> PAYMENT = BlueprintType.of("payment", Trip.class, Charge.class);
    static final TaskType<Trip, Flight> BOOK_FLIGHT = TaskType.of("book_flight", Trip.class, Flight.class);
    static final TaskType<Trip, Nothing> CANCEL_FLIGHT = TaskType.of("cancel_flight", Trip.class);
    static final TaskType<Trip, Hotel> BOOK_HOTEL = TaskType.of("book_hotel", Trip.class, Hotel.class);
    static final TaskType<Hotel, Nothing> CANCEL_HOTEL = TaskType.of("cancel_hotel", Hotel.class);
    static final Signal<String> CONFIRMED = Signal.of("confirmed", String.class);
    static final Approval<Way> WAY = Approval.of(Way.class);

    enum Way {
        TRAIN,
        PLANE
    }

    Airline airline;
    ArtelClient client;
    Blueprint trip;
    JobHandle<Itinerary> job;
    Run<Trip> run;
    States<Trip, Itinerary> b;
    StateRef ask;
    StateRef train;
    StateRef plane;
    StateRef late;

    // SNIPPET
}
