package dev.artel.blueprint.annotated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.blueprint.BlueprintDefinition;
import dev.artel.blueprint.DataStore;
import dev.artel.blueprint.GuardLimits;
import dev.artel.blueprint.On;
import dev.artel.blueprint.Param;
import dev.artel.blueprint.StateHandler;
import dev.artel.blueprint.TaskCall;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.InvalidBlueprint;
import dev.artel.kernel.blueprint.MissingValue;
import dev.artel.kernel.blueprint.State;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.guard.Guards;
import dev.artel.kernel.job.ClientPlan;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.store.UnavailableKeyValueStore;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.RetryPolicy;
import dev.artel.kernel.task.TaskSpec;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class AnnotatedBlueprintTest {
    record Order(String item, int amount) {}

    @BlueprintDefinition(
            name = "order",
            version = "2.1",
            initialData = Order.class,
            data = {"stock", "trackingCode"},
            dataStores = "ledger",
            ends = "done",
            failedEnds = "sorry")
    static final class OrderBlueprint {
        @StateHandler(
                value = "reserve",
                start = true,
                on = {
                    @On(value = "success", state = "ship"),
                    @On(value = "sold_out", state = "sorry")
                })
        TaskCall<JsonValue> reserve(Order initialData) {
            return TaskCall.of("reserve", JsonObject.of("item", JsonValue.of(initialData.item())));
        }

        @StateHandler(value = "ship", leadsTo = "thank")
        JsonObject ship(
                String jobId,
                String client,
                int amount,
                Optional<Integer> stock,
                Optional<String> trackingCode,
                DataStore<Integer> ledger,
                @Param("stateHistory") JsonObject history) {
            return JsonObject.builder()
                    .put(
                            "greeting",
                            jobId
                                    + " "
                                    + client
                                    + " "
                                    + amount
                                    + " "
                                    + stock
                                    + " "
                                    + trackingCode
                                    + " "
                                    + ledger)
                    .put("history", history)
                    .build();
        }

        @StateHandler(value = "thank", leadsTo = "done")
        String thank(dev.artel.blueprint.Step<Order> step) {
            return step.data().has("quiet") ? "done" : "nowhere";
        }
    }

    private static final ClientPlan PLAN =
            new ClientPlan(
                    "gold",
                    JsonObject.of("region", JsonValue.of("eu"), "max_size", JsonValue.of(40)));

    private static Step step(String state, JsonObject initialData, JsonObject data) {
        var stores = new LinkedHashMap<String, dev.artel.kernel.store.JsonDataStore>();
        stores.put(
                "ledger",
                dev.artel.kernel.store.JsonDataStore.of(
                        new UnavailableKeyValueStore(), "order/ledger"));
        return new Step(
                new JobId("job-1"),
                state,
                1,
                0,
                "anna",
                PLAN,
                new LinkedHashMap<>(),
                initialData,
                data,
                List.of(),
                List.of(),
                stores,
                "1");
    }

    private static final JsonObject ORDER =
            JsonObject.builder().put("item", "lamp").put("amount", 2).build();

    private static Action act(String state, JsonObject initialData, JsonObject data)
            throws Exception {
        return act(AnnotatedDefinition.of(OrderBlueprint.class), state, initialData, data);
    }

    private static Action act(
            Blueprint blueprint, String state, JsonObject initialData, JsonObject data)
            throws Exception {
        var handler = blueprint.state(state).orElseThrow();
        return handler.handler().orElseThrow().handle(step(state, initialData, data));
    }

    @Test
    void aClass_becomesABlueprint() {
        var blueprint = AnnotatedDefinition.of(OrderBlueprint.class);

        assertThat(blueprint.name()).isEqualTo("order");
        assertThat(blueprint.version()).isEqualTo("2.1");
        assertThat(blueprint.start().name()).isEqualTo("reserve");
        assertThat(blueprint.states())
                .extracting(State::name)
                .containsExactly("reserve", "ship", "thank", "done", "sorry");
        assertThat(blueprint.start().next()).containsExactly("ship", "sorry");
        assertThat(blueprint.dataStores()).containsExactly("ledger");
        assertThat(blueprint.initialData()).isPresent();
    }

    @Test
    void aTask_isDispatchedWithItsOutcomes() throws Exception {
        assertThat(act("reserve", ORDER, JsonObject.EMPTY))
                .isEqualTo(
                        Action.dispatch(
                                TaskSpec.of("reserve", JsonObject.of("item", JsonValue.of("lamp"))),
                                Outcomes.on("success", "ship").and("sold_out", "sorry")));
    }

    /// Trap: what a task says under the name of something else takes its place.
    @Test
    void names_areLookedUpInTheJob_thenInItsStores_thenInItsData_thenInItsInitialData()
            throws Exception {
        var data =
                JsonObject.builder()
                        .put("jobId", "stolen")
                        .put("client", "stolen")
                        .put("ledger", "stolen")
                        .put("amount", 3)
                        .put("stock", 7)
                        .put("tracking_code", "T1")
                        .build();

        var action = act("ship", ORDER.with("stock", JsonValue.of(1)), data);

        assertThat(action).isInstanceOf(Action.TransitionTo.class);
        assertThat(action.changes().get("greeting"))
                .contains(
                        Payload.of(
                                JsonValue.of(
                                        "job-1 anna 3 Optional[7] Optional[T1] order/ledger")));
        assertThat(action.changes().get("history")).contains(Payload.of(data));
    }

    @Test
    void aValueThatIsMissing_isAFailureThatSaysWhich() {
        assertThatThrownBy(() ->
                        act("ship", JsonObject.of("amout", JsonValue.of(1)), JsonObject.EMPTY))
                .isInstanceOf(MissingValue.class)
                .hasMessage(
                        "blueprint 'order', state 'ship': handler ship asks for the parameter 'amount'"
                                + " (int), which is not there: data has [] and initial data has"
                                + " [amout], the nearest is 'amout'; make it Optional or @Nullable if"
                                + " it may be absent");
    }

    @Test
    void aValueOfAnotherKind_isAFailureThatSaysWhich() {
        var data = ORDER.with("amount", JsonValue.of("three"));

        assertThatThrownBy(() -> act("ship", data, JsonObject.EMPTY))
                .isInstanceOf(MissingValue.class)
                .hasMessageContaining("asks for the parameter 'amount' (int)")
                .hasMessageContaining("does not fit: amount: expected");
    }

    @BlueprintDefinition(
            name = "invoices",
            data = {"customers", "byName", "notes"})
    static final class Invoices {
        @StateHandler(
                value = "bill",
                start = true,
                leadsTo = {"sort", "remember"})
        String bill(List<String> customers) {
            return customers.isEmpty() ? "sort" : "remember";
        }

        @StateHandler("sort")
        JsonObject sort(Map<String, String> byName) {
            return JsonObject.of("sorted", JsonValue.of(byName.size()));
        }

        @StateHandler("remember")
        JsonObject remember(@Nullable List<String> notes, Optional<List<String>> customers) {
            return JsonObject.of("none", JsonValue.of(notes == null && customers.isEmpty()));
        }
    }

    /// Trap: a list that is not there is taken for an empty one, and the job finishes with nothing done.
    @Test
    void anAbsentListOrMap_isAFailure_unlessTheParameterSaysThatItMayBeAbsent() throws Exception {
        var blueprint = AnnotatedDefinition.of(new Invoices());
        var renamed = JsonObject.of("result", JsonArray.EMPTY, "Customers_", JsonArray.EMPTY);

        assertThatThrownBy(() -> act(blueprint, "bill", renamed, JsonObject.EMPTY))
                .isInstanceOf(MissingValue.class)
                .hasMessageContaining("'invoices'", "'bill'", "'customers'")
                .hasMessageContaining("[result, Customers_], the nearest is 'Customers_'");
        assertThatThrownBy(() -> act(blueprint, "sort", renamed, JsonObject.EMPTY))
                .isInstanceOf(MissingValue.class)
                .hasMessageContaining("'byName' (Map)");
        assertThat(act(blueprint, "remember", JsonObject.EMPTY, JsonObject.EMPTY))
                .isEqualTo(Action.finish(JsonObject.of("none", JsonValue.of(true))));
    }

    @Test
    void aString_isTheNextState() throws Exception {
        assertThat(act("thank", ORDER, JsonObject.of("quiet", JsonValue.of(true))))
                .isEqualTo(Action.transitionTo("done"));
    }

    @BlueprintDefinition(name = "last")
    static final class Last {
        record Bill(int total) {}

        @StateHandler(value = "only", start = true)
        Bill only() {
            return new Bill(3);
        }
    }

    @Test
    void aRecordOfAStateThatLeadsNowhere_isTheResult() throws Exception {
        var start = AnnotatedDefinition.of(new Last()).start();

        assertThat(start.handler().orElseThrow().handle(step("only", ORDER, JsonObject.EMPTY)))
                .isEqualTo(
                        new Action.Finish(
                                new JobOutcome.Finished(
                                        Payload.of(JsonObject.of("total", JsonValue.of(3)))),
                                JobData.EMPTY));
    }

    @BlueprintDefinition(name = "paid", ends = "done")
    static final class Paid {
        @StateHandler(value = "only", start = true, leadsTo = "done")
        JsonObject only(String client, String clientPlan, JsonObject clientParams) {
            return JsonObject.of(
                    "greeting",
                    JsonValue.of(
                            client
                                    + " "
                                    + clientPlan
                                    + " "
                                    + clientParams.string("region").orElseThrow()));
        }
    }

    /// Trap: only the token of a client, or nothing at all, reaches the handlers of its jobs.
    @Test
    void planAndParamsOfAClient_areInjected() throws Exception {
        var start = AnnotatedDefinition.of(new Paid()).start();

        var action =
                start.handler()
                        .orElseThrow()
                        .handle(
                                step(
                                        "only",
                                        ORDER,
                                        JsonObject.of("clientPlan", JsonValue.of("x"))));

        assertThat(action.changes().get("greeting"))
                .contains(Payload.of(JsonValue.of("anna gold eu")));
    }

    @BlueprintDefinition(name = "beside", initialData = Order.class, data = "stock", ends = "done")
    static final class Beside {
        @StateHandler(value = "only", start = true, leadsTo = "done")
        JsonObject only(
                dev.artel.blueprint.Step<Order> step,
                String jobId,
                int amount,
                Optional<Integer> stock,
                dev.artel.blueprint.Step<?> again) {
            return JsonObject.of(
                    "greeting",
                    JsonValue.of(
                            step.state()
                                    + " "
                                    + jobId
                                    + " "
                                    + amount
                                    + " "
                                    + stock.orElse(0)
                                    + " "
                                    + step.input().equals(again.input())));
        }
    }

    /// Trap: a handler takes either everything or named values, and one that names both fails when it is called.
    @Test
    void aStep_standsBesideNamedArguments() throws Exception {
        var start = AnnotatedDefinition.of(new Beside()).start();

        var action =
                start.handler()
                        .orElseThrow()
                        .handle(step("only", ORDER, JsonObject.of("stock", JsonValue.of(7))));

        assertThat(action.changes().get("greeting"))
                .contains(Payload.of(JsonValue.of("only job-1 2 7 true")));
    }

    @BlueprintDefinition(name = "limited", ends = "done")
    static final class Limited {
        @StateHandler(
                value = "one",
                start = true,
                attempts = 2,
                handlerTime = "PT30S",
                leadsTo = "two")
        String one() {
            return "two";
        }

        @StateHandler(value = "two", leadsTo = "done")
        String two() {
            return "done";
        }
    }

    @Test
    void aState_saysHowItsHandlerIsRun() {
        var blueprint = AnnotatedDefinition.of(new Limited());

        assertThat(blueprint.start().retry()).contains(RetryPolicy.DEFAULTS.withMaxAttempts(2));
        assertThat(blueprint.start().handlerTime()).contains(Duration.ofSeconds(30));
        assertThat(blueprint.state("two").orElseThrow().retry()).isEmpty();
        assertThat(blueprint.state("two").orElseThrow().handlerTime()).isEmpty();
    }

    @BlueprintDefinition(name = "badly_limited", ends = "done")
    static final class BadlyLimited {
        @StateHandler(
                value = "one",
                start = true,
                attempts = -1,
                handlerTime = "soon",
                leadsTo = "two")
        String one() {
            return "two";
        }

        @StateHandler(value = "two", handlerTime = "PT0S", leadsTo = "three")
        String two() {
            return "three";
        }

        @StateHandler(
                value = "three",
                attempts = 2,
                when = "initial_data.big == true",
                leadsTo = "done")
        String big() {
            return "done";
        }

        @StateHandler(value = "three", attempts = 3, leadsTo = "done")
        String small() {
            return "done";
        }
    }

    @Test
    void limitsThatMakeNoSense_areRefused() {
        assertThatExceptionOfType(InvalidBlueprint.class)
                .isThrownBy(() -> AnnotatedDefinition.of(BadlyLimited.class))
                .satisfies(invalid ->
                        assertThat(String.join("\n", invalid.problems()))
                                .contains("state 'one': attempts must be at least 1, was -1")
                                .contains(
                                        "state 'one': handlerTime must be a duration such as PT30S,"
                                                + " was 'soon'")
                                .contains(
                                        "state 'two': handler time must be positive and at most"
                                                + " 36500 days, was PT0S")
                                .contains(
                                        "state 'three' has handlers with several attempts or"
                                                + " times"));
    }

    @BlueprintDefinition(
            name = "guarded",
            ends = "done",
            guards =
                    @GuardLimits(
                            transitions = 50,
                            attempts = 2,
                            handlerTime = "PT20S",
                            history = 5_000,
                            treeSteps = 200,
                            treeDepth = 0,
                            compensationTimeout = "PT5M"))
    static final class Guarded {
        @StateHandler(value = "one", start = true, leadsTo = "done")
        String one() {
            return "done";
        }
    }

    @BlueprintDefinition(name = "tidy", ends = "done", onCancel = "tidy")
    static final class Tidy {
        @StateHandler(value = "one", start = true, leadsTo = "done")
        String one() {
            return "done";
        }

        @StateHandler(value = "tidy", leadsTo = "done")
        String tidy() {
            return "done";
        }
    }

    @Test
    void aDefinition_saysWhereACancelLeads() {
        assertThat(AnnotatedDefinition.of(new Tidy()).cancelState()).contains("tidy");
        assertThat(AnnotatedDefinition.of(new Guarded()).cancelState()).isEmpty();
    }

    @Test
    void aDefinition_saysHowLongItsJobsMayGoOn() {
        assertThat(AnnotatedDefinition.of(new Guarded()).guards())
                .isEqualTo(
                        new Guards(
                                50,
                                RetryPolicy.DEFAULTS.withMaxAttempts(2),
                                Duration.ofSeconds(20),
                                5_000,
                                200,
                                0,
                                Duration.ofMinutes(5)));
        assertThat(AnnotatedDefinition.of(new Limited()).guards()).isEqualTo(Guards.DEFAULTS);
    }

    @BlueprintDefinition(
            name = "badly_guarded",
            ends = "done",
            guards =
                    @GuardLimits(
                            transitions = 0,
                            attempts = 0,
                            handlerTime = "soon",
                            history = -1,
                            treeSteps = 0,
                            treeDepth = -1,
                            compensationTimeout = "-PT1S"))
    static final class BadlyGuarded {
        @StateHandler(value = "one", start = true, leadsTo = "done")
        String one() {
            return "done";
        }
    }

    /// Each of them, in the words of the builder.
    @Test
    void guardsThatMakeNoSense_areRefusedTogether() {
        assertThatExceptionOfType(InvalidBlueprint.class)
                .isThrownBy(() -> AnnotatedDefinition.of(BadlyGuarded.class))
                .satisfies(invalid ->
                        assertThat(invalid.problems())
                                .containsExactly(
                                        "guards: transitions must be at least 1, was 0",
                                        "guards: retry.max-attempts must be at least 1, was 0",
                                        "guards: handlerTime must be a duration such as PT30S, was"
                                                + " 'soon'",
                                        "guards: history must be at least 1, was -1",
                                        "guards: tree steps must be at least 1, was 0",
                                        "guards: tree depth must not be negative, was -1",
                                        "guards: compensation time must be positive and at most 36500 days,"
                                                + " was PT-1S"));
    }

    @BlueprintDefinition(
            name = "everything wrong",
            initialData = Order.class,
            dataStores = "ledger")
    static final class Wrong {
        @StateHandler(value = "one", start = true, leadsTo = "too")
        void one(String amuont, JsonObject ledger, Thread item, int jobId) {}

        @StateHandler(value = "two", start = true)
        TaskCall<JsonValue> two() {
            return TaskCall.of("two", JsonObject.EMPTY);
        }

        @StateHandler(
                value = "three",
                leadsTo = {"one", "two"})
        void three() {}

        @StateHandler("three")
        Object again() {
            return "never called";
        }
    }

    /// Trap: a blueprint is recovered one problem at a time, each found by a job that breaks.
    @Test
    void everythingThatIsWrong_isInOneReport() {
        assertThatExceptionOfType(InvalidBlueprint.class)
                .isThrownBy(() -> AnnotatedDefinition.of(Wrong.class))
                .satisfies(invalid ->
                        assertThat(String.join("\n", invalid.problems()))
                                .contains("its name must have")
                                .contains("parameter 'amuont' names nothing: there are jobId")
                                .contains("and the values [item, amount], the nearest is 'amount';")
                                .contains("'ledger' is a data store; its type must be DataStore<V>")
                                .contains("'jobId' must be of type String, is int")
                                .contains("'item' cannot be injected")
                                .contains("two returns a TaskCall and does not define what follows")
                                .contains("three returns no state and may lead to [one, two]")
                                .contains("again returns Object; return a TaskCall")
                                .contains("'three' has two handlers without a condition")
                                .contains(
                                        "state 'one' leads to 'too', which is not defined; the"
                                                + " nearest is 'two'")
                                .contains("it has 2 start states: one, two")
                                .contains("state 'three' cannot be reached"));
    }

    @BlueprintDefinition(name = "half_pure", ends = "done")
    static final class HalfPure {
        @StateHandler(value = "one", start = true, pure = true, leadsTo = "two")
        String one() {
            return "two";
        }

        @StateHandler(
                value = "two",
                pure = true,
                when = "initial_data.big == true",
                leadsTo = "done")
        String big() {
            return "done";
        }

        @StateHandler(value = "two", leadsTo = "done")
        String small() {
            return "done";
        }
    }

    @Test
    void handlersOfAStateThatDisagreeOnWhetherTheyArePure_areRefused() {
        assertThatExceptionOfType(InvalidBlueprint.class)
                .isThrownBy(() -> AnnotatedDefinition.of(HalfPure.class))
                .satisfies(invalid ->
                        assertThat(String.join("\n", invalid.problems()))
                                .contains("state 'two' has handlers that are pure and others")
                                .doesNotContain("state 'one'"));
    }

    @Test
    void aClassThatIsNotMarked_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AnnotatedDefinition.of(String.class))
                .withMessageContaining("not marked with @BlueprintDefinition");
    }
}
