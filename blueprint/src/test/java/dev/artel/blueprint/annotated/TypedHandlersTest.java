package dev.artel.blueprint.annotated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.artel.blueprint.Blueprint;
import dev.artel.blueprint.BlueprintDefinition;
import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.ChildCall;
import dev.artel.blueprint.ChoiceState;
import dev.artel.blueprint.DataStore;
import dev.artel.blueprint.Failure;
import dev.artel.blueprint.Nothing;
import dev.artel.blueprint.On;
import dev.artel.blueprint.RunFailed;
import dev.artel.blueprint.StartCall;
import dev.artel.blueprint.StateHandler;
import dev.artel.blueprint.TaskCall;
import dev.artel.blueprint.TaskType;
import dev.artel.blueprint.When;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.ChildResult;
import dev.artel.kernel.blueprint.InvalidBlueprint;
import dev.artel.kernel.blueprint.MissingValue;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.branch.JoinPolicy;
import dev.artel.kernel.compensation.Compensation;
import dev.artel.kernel.job.ClientPlan;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.store.UnavailableKeyValueStore;
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.TaskError;
import dev.artel.kernel.task.TaskResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Annotated classes that use the constants of their tasks and children.
final class TypedHandlersTest {
    record Trip(String to, int price) {}

    record Flight(String number) {}

    record Hotel(String name) {}

    record Booked(String flight, List<String> hotels) {}

    static final TaskType<Trip, Flight> BOOK_FLIGHT =
            TaskType.of("book_flight", Trip.class, Flight.class);
    static final TaskType<Trip, Nothing> CANCEL_FLIGHT = TaskType.of("cancel_flight", Trip.class);
    static final TaskType<Trip, Hotel> BOOK_HOTEL =
            TaskType.of("book_hotel", Trip.class, Hotel.class);
    static final BlueprintType<Trip, Flight> TRANSFER =
            BlueprintType.of("transfer", Trip.class, Flight.class);

    @BlueprintDefinition(
            name = "journey",
            initialData = Trip.class,
            dataStores = "seats",
            failedEnds = "declined")
    static final class Journey {
        @StateHandler(
                value = "book",
                start = true,
                resultAs = "flight",
                leadsTo = "hotels",
                on = @On(value = "full", state = "transfer"))
        TaskCall<Flight> book(Trip initialData) {
            return TaskCall.of(BOOK_FLIGHT, initialData).compensatedBy(CANCEL_FLIGHT, initialData);
        }

        @StateHandler(value = "transfer", resultAs = "transferred", leadsTo = "transfers")
        ChildCall<Flight> transfer(Trip initialData) {
            return ChildCall.of(TRANSFER, initialData);
        }

        @StateHandler(
                value = "transfers",
                leadsTo = "joined",
                window = 2,
                policy = StateHandler.Policy.SETTLED)
        List<ChildCall<Flight>> transfers(Trip initialData, Flight transferred) {
            return List.of(
                    ChildCall.of(TRANSFER, initialData),
                    ChildCall.of(TRANSFER, new Trip(transferred.number(), 1)));
        }

        @StateHandler(value = "joined", leadsTo = "hotels")
        void joined(List<Flight> children) {
            if (children.isEmpty()) {
                throw new RunFailed("no transfer at all");
            }
        }

        @StateHandler(
                value = "hotels",
                leadsTo = "end",
                window = 3,
                policy = StateHandler.Policy.FAIL_FAST,
                otherwise = "declined")
        List<TaskCall<Hotel>> hotels(Trip initialData) {
            return List.of(
                    TaskCall.of(BOOK_HOTEL, initialData), TaskCall.of(BOOK_HOTEL, initialData));
        }

        @StateHandler("end")
        Booked end(
                Optional<Flight> flight,
                List<Hotel> results,
                List<Failure> failures,
                DataStore<Integer> seats) {
            assertThat(seats).hasToString("journey/seats");
            return new Booked(
                    flight.map(Flight::number).orElse("none"),
                    Stream.concat(
                                    results.stream().map(Hotel::name),
                                    failures.stream().map(Failure::toString))
                            .toList());
        }
    }

    private final dev.artel.kernel.blueprint.Blueprint journey =
            Blueprint.annotated(Journey.class).definition();

    private static final JsonObject TRIP =
            JsonObject.builder().put("to", "Oslo").put("price", 400).build();

    private static JsonObject text(String name, String value) {
        return JsonObject.of(name, JsonValue.of(value));
    }

    private Action act(
            String state, JsonObject data, List<TaskResult> results, List<ChildResult> children)
            throws Exception {
        var stores = new LinkedHashMap<String, dev.artel.kernel.store.JsonDataStore>();
        stores.put(
                "seats",
                dev.artel.kernel.store.JsonDataStore.of(
                        new UnavailableKeyValueStore(), "journey/seats"));
        var step =
                new Step(
                        new JobId("job-1"),
                        state,
                        1,
                        0,
                        "anna",
                        ClientPlan.UNKNOWN,
                        new LinkedHashMap<>(),
                        TRIP,
                        data,
                        results,
                        children,
                        stores,
                        "1");
        return journey.state(state).orElseThrow().handler().orElseThrow().handle(step);
    }

    private Action act(String state, JsonObject data) throws Exception {
        return act(state, data, List.of(), List.of());
    }

    @Test
    void aTaskCall_isDispatched_withItsCompensation_andItsResultHasAName() throws Exception {
        var action = act("book", JsonObject.EMPTY);

        assertThat(action)
                .isInstanceOfSatisfying(
                        Action.Compensable.class,
                        compensable -> {
                            var task = ((Action.DispatchTask) compensable.action()).task();
                            assertThat(task.type()).isEqualTo("book_flight");
                            assertThat(task.resultAs()).hasValue("flight");
                            assertThat(((Action.DispatchTask) compensable.action()).on())
                                    .isEqualTo(
                                            Outcomes.on("full", "transfer")
                                                    .and("success", "hotels"));
                            assertThat(((Compensation.ByTask) compensable.by()).task().type())
                                    .isEqualTo("cancel_flight");
                        });
    }

    @Test
    void aChildCall_isRun_andItsResultIsAParameterOfLaterHandlers() throws Exception {
        var run = (Action.RunBlueprint) act("transfer", JsonObject.EMPTY);
        assertThat(run.blueprint()).isEqualTo("transfer");
        assertThat(run.as()).isEqualTo("transferred");
        assertThat(run.on().after("finished")).hasValue("transfers");

        var ended =
                JsonObject.of(
                        "transferred",
                        JsonObject.of(
                                "status",
                                JsonValue.of("finished"),
                                "result",
                                text("number", "TR7")));
        var all = (Action.RunBlueprints) act("transfers", ended);
        assertThat(all.initialData()).hasSize(2);
        assertThat(all.initialData().get(1).toString()).contains("TR7");
        assertThat(all.window()).isEqualTo(2);
        assertThat(all.policy()).isEqualTo(JoinPolicy.SETTLED);
        assertThat(all.join()).isEqualTo("joined");
    }

    @Test
    void theResultsOfAFanOut_areRecords_ofWhatSucceeded() throws Exception {
        var all = (Action.DispatchParallel) act("hotels", JsonObject.EMPTY);
        assertThat(all.tasks()).hasSize(2);
        assertThat(all.window()).isEqualTo(3);
        assertThat(all.policy()).isEqualTo(JoinPolicy.FAIL_FAST);
        assertThat(all.otherwise()).hasValue("declined");

        var end =
                act(
                        "end",
                        JsonObject.of("flight", text("number", "SK1")),
                        List.of(
                                new TaskResult.Succeeded(
                                        0, "success", text("name", "Grand"), "w", 1),
                                new TaskResult.Failed(
                                        1, new TaskError(ErrorClass.PERMANENT, "FULL", "full"))),
                        List.of());
        assertThat(end.toString()).contains("SK1", "Grand", "Failure[code=FULL, message=full]");
        assertThat(journey.result()).isPresent();
    }

    @Test
    void aHandlerThatSaysThatTheRunFailed_failsTheJob() throws Exception {
        assertThat(act("joined", JsonObject.EMPTY)).isEqualTo(Action.fail("no transfer at all"));
    }

    @Test
    void aResultThatDoesNotFit_quarantines_andSaysWhich() {
        assertThatExceptionOfType(MissingValue.class)
                .isThrownBy(() ->
                        act("end", JsonObject.of("flight", JsonValue.of(7)), List.of(), List.of()))
                .withMessageContaining("parameter 'flight'");
        assertThatExceptionOfType(MissingValue.class)
                .isThrownBy(() ->
                        act(
                                "end",
                                JsonObject.EMPTY,
                                List.of(
                                        new TaskResult.Succeeded(
                                                0, "success", text("nome", "Grand"), "w", 1)),
                                List.of()))
                .withMessageContaining("results[0].name");
    }

    @BlueprintDefinition(name = "crooked", dataStores = "seats")
    @ChoiceState(
            value = "both",
            start = true,
            when = @When(value = "attempt > 1", state = "one"),
            otherwise = "list")
    static final class Crooked {
        @StateHandler(value = "both", leadsTo = "one")
        void both() {}

        @StateHandler(value = "one", resultAs = "flight")
        TaskCall<Flight> one(List<String> failures) {
            return TaskCall.of(BOOK_FLIGHT, new Trip("Oslo", 1));
        }

        @StateHandler(value = "list", resultAs = "hotels", leadsTo = "other")
        List<TaskCall<Hotel>> list(Hotel flight) {
            return List.of(TaskCall.of(BOOK_HOTEL, new Trip(flight.name(), 1)));
        }

        @StateHandler(
                value = "other",
                resultAs = "flight",
                leadsTo = "store",
                on = @On(value = "success", state = "store"))
        TaskCall<Hotel> other() {
            return TaskCall.of(BOOK_HOTEL, new Trip("Oslo", 1));
        }

        @StateHandler(
                value = "store",
                leadsTo = "child",
                on = @On(value = "failure", state = "one"),
                resultAs = "client")
        TaskCall<Hotel> store(List<Object> results) {
            return TaskCall.of(BOOK_HOTEL, new Trip("Oslo", 1));
        }

        @StateHandler(
                value = "child",
                leadsTo = "begin",
                on = @On(value = "fialed", state = "one"),
                resultAs = "seats")
        ChildCall<Flight> child() {
            return ChildCall.of(TRANSFER, new Trip("Oslo", 1));
        }

        @StateHandler(value = "begin", leadsTo = "one", on = @On(value = "finished", state = "one"))
        StartCall begin() {
            return StartCall.of(TRANSFER, new Trip("Oslo", 1));
        }
    }

    @Test
    void everythingThatIsWrong_isReportedTogether() {
        assertThatExceptionOfType(InvalidBlueprint.class)
                .isThrownBy(() -> Blueprint.annotated(Crooked.class))
                .withMessageContainingAll(
                        "state 'both' is a @ChoiceState and has a @StateHandler",
                        "handler one returns a TaskCall and does not define what follows; add leadsTo, or on",
                        "handler list has resultAs and returns no task and no child",
                        "parameter 'flight' is of type Hotel, and handler one keeps a Flight there",
                        "handler other defines what follows 'success' in on and in leadsTo; keep one of them",
                        "handler other keeps its result as 'flight', and so does handler one with one of another type",
                        "handler store: parameter 'results' cannot be injected",
                        "handler one: parameter 'failures' holds why tasks or children have failed; its type must be"
                                + " List<Failure>, is java.util.List<java.lang.String>",
                        "handler store defines what follows 'failure', which no task ends with; the nearest is 'failed'",
                        "handler store keeps its result as 'client', which names something else that handlers get",
                        "handler child defines what follows 'fialed', which is none of [finished, failed, cancelled];"
                                + " the nearest is 'failed'",
                        "handler child keeps its result as 'seats', which names a data store",
                        "handler begin defines what follows 'finished', which is none of [started, failed]");
    }

    @BlueprintDefinition(name = "mixed")
    static final class Mixed {
        @StateHandler(value = "children", start = true, leadsTo = "tasks")
        List<ChildCall<JsonValue>> children() {
            return List.of(
                    ChildCall.of("a", JsonObject.EMPTY), ChildCall.of("b", JsonObject.EMPTY));
        }

        @StateHandler(value = "tasks", leadsTo = "end")
        List<TaskCall<Flight>> tasks() {
            return List.of(
                    TaskCall.of(BOOK_FLIGHT, new Trip("Oslo", 1)),
                    TaskCall.of(BOOK_FLIGHT, new Trip("Oslo", 2))
                            .compensatedBy(CANCEL_FLIGHT, new Trip("Oslo", 2)));
        }

        @StateHandler(value = "end", on = @On(value = "success", state = "children"))
        TaskCall<Flight> end() {
            return TaskCall.of(BOOK_FLIGHT, new Trip("Oslo", 1))
                    .compensatedByResult(CANCEL_FLIGHT, flight -> new Trip(flight.number(), 1));
        }
    }

    @Test
    void whatAStateCannotDo_isRefusedWhenItIsReturned() {
        var mixed = Blueprint.annotated(new Mixed()).definition();

        assertThatIllegalStateException()
                .isThrownBy(() -> act(mixed, "children"))
                .withMessageContaining("children of the blueprints a and b");
        assertThatIllegalStateException()
                .isThrownBy(() -> act(mixed, "tasks"))
                .withMessageContaining("2 different compensations");
        assertThatIllegalStateException()
                .isThrownBy(() -> act(mixed, "end"))
                .withMessageContaining("compensated by its result");
    }

    private static Action act(dev.artel.kernel.blueprint.Blueprint blueprint, String state)
            throws Exception {
        var step =
                new Step(
                        new JobId("job-1"),
                        state,
                        1,
                        0,
                        "anna",
                        ClientPlan.UNKNOWN,
                        new LinkedHashMap<>(),
                        JsonObject.EMPTY,
                        JsonObject.EMPTY,
                        List.of(),
                        List.of(),
                        new LinkedHashMap<>(),
                        "1");
        return blueprint.state(state).orElseThrow().handler().orElseThrow().handle(step);
    }
}
