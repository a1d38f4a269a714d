// Around each block of Java in a document that is of typed states or of a function, see JavaSnippets.
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.blueprint.*;
import dev.artel.client.*;
import dev.artel.json.*;
import dev.artel.json.text.JsonText;
import dev.artel.worker.Worker;
import java.net.URI;
import java.nio.file.*;
import java.time.*;
import java.util.*;

abstract class Snippet {
    record Trip(String traveller, String to, int price) {}

    record Flight(String flight) {}

    record Hotel(String hotel) {}

    record Charge(String charge) {}

    record Transfer(String reference) {}

    record Enquiry(String airline, Trip trip) {}

    record Quote(String airline, int euros) {}

    record Subscription(String customer) {}

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
    static final TaskType<Trip, Transfer> TRANSFER = TaskType.of("transfer", Trip.class, Transfer.class);
    static final TaskType<Trip, Nothing> FIND_TRANSFER = TaskType.of("find_transfer", Trip.class);
    static final TaskType<Transfer, Nothing> REVERSE = TaskType.of("reverse", Transfer.class);
    static final TaskType<Trip, Nothing> DRAW_MAP = TaskType.of("draw_map", Trip.class);
    static final TaskType<Enquiry, Quote> QUOTE = TaskType.of("quote", Enquiry.class, Quote.class);
    static final TaskType<Subscription, Nothing> BILL = TaskType.of("bill", Subscription.class);
    static final BlueprintType<Subscription, Nothing> SUBSCRIPTION = BlueprintType.of("subscription", Subscription.class);
    static final Variable<Quote> BEST = Variable.of("best", Quote.class);
    static final Variable<Integer> MONTHS = Variable.of("months", Integer.class);
    static final List<String> AIRLINES = List.of("A", "B");
    static final String SOLD_OUT = "sold_out";
    static final String NOT_FOUND = "not_found";
    static final String SALES = "sales";
    static final String RATES = "rates";
    static final Signal<String> CONFIRMED = Signal.of("confirmed", String.class);
    static final Approval<Way> WAY = Approval.of(Way.class);

    enum Way {
        TRAIN,
        PLANE
    }

    static String token;

    static String thumbnail(Object picture) {
        return "" + picture;
    }

    record Customer(String name, int debt) {
        boolean owes() {
            return debt > 0;
        }
    }

    Step<Trip> step;
    Airline airline;
    ArtelClient client;
    Blueprint trip;
    JobHandle<Itinerary> job;
    Run<Trip> run;
    States<Trip, Itinerary> b;
    StateRef flight;
    StateRef hotel;
    StateRef book;
    StateRef map;
    StateRef quote;
    StateRef choose;
    StateRef check;
    StateRef ask;
    StateRef pay;
    StateRef paid;
    StateRef look;
    StateRef reverse;
    StateRef count;
    StateRef tidy;
    StateRef confirm;
    StateRef done;
    StateRef apologise;
    StateRef train;
    StateRef plane;
    StateRef late;

    static Quote cheapest(List<Quote> quotes) {
        return quotes.getFirst();
    }

    // SNIPPET
}
