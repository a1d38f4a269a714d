package dev.artel.simulation.function;

import dev.artel.blueprint.RunCancelled;
import dev.artel.blueprint.RunFailed;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.compensation.CompensationLog;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.Resolution;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.simulation.judges.JobJudge;
import dev.artel.simulation.world.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Judges the functions among the jobs of a scenario, by their events alone. A function
/// - comes to the end to which its code comes with the results that its job has,
/// - asks for what its code asks for, in that order, and hears of each once,
/// - has each call done once, unless a person has taken its job back or recovered it,
/// - has its calls compensated from the last to the first, with their own results,
/// - fits its history: no handler of it fails but by a fault.
final class FunctionInvariants implements JobJudge {
    /// The member of a job's data that is the last entry of its function.
    private static final String ENTRY = "_function";

    /// The member of a job's data that is the input of its run.
    private static final String INPUT = "_function_input";

    private final World world;
    private final Map<String, JobProgram> programs;
    private final List<String> faults;
    private final Function<Payload, JsonValue> values;
    private final Map<JobId, Account> accounts = new HashMap<>();

    /// What is known of the run of a job.
    private static final class Account {
        final Map<String, JsonObject> entries = new HashMap<>();
        String last = "";

        /// The parameters of the tasks that were opened and the input of the children, by their place.
        final Map<Long, List<JsonObject>> opened = new HashMap<>();

        /// The places of calls that were done, or that an attempt may have done that failed to answer, in that order. An attempt that
        /// reports its failure has not done its call.
        final List<Long> done = new ArrayList<>();

        /// The numbers of these tasks.
        final Set<Integer> doneTasks = new HashSet<>();

        /// How often a person has let the job do something again.
        int repeats;

        boolean isOver;
        @Nullable Compensation compensation;
    }

    /// Calls are being compensated.
    private static final class Compensation {
        /// How many calls were done when it began; others come late.
        final int done;

        /// The rank, among those that were done, of the call that was compensated last.
        int rank = Integer.MAX_VALUE;

        Compensation(int done) {
            this.done = done;
        }
    }

    /// @param programs the code of the functions, by blueprint
    /// @param faults how handlers may fail
    /// @param values reads what is kept apart
    FunctionInvariants(
            World world,
            Map<String, JobProgram> programs,
            List<String> faults,
            Function<Payload, JsonValue> values) {
        this.world = world;
        this.programs = programs;
        this.faults = faults;
        this.values = values;
    }

    @Override
    public void judge(Job before, JobEvent event, List<JobEvent> behind) {
        var program = programs.get(before.spec().blueprint().name());
        if (program == null) {
            return;
        }
        var account = accounts.computeIfAbsent(before.id(), _ -> new Account());
        switch (event) {
            case JobEvent.StepDone done -> {
                var entry = done.changes().get(ENTRY).map(it -> (JsonObject) values.apply(it));
                if (entry.isPresent()) {
                    follows(before, account, entry.get());
                    if (entry.get().string("then").equals(Optional.of("OVER"))) {
                        account.isOver = true;
                        requireEnd(before, account, program, behind);
                    }
                }
            }
            case JobEvent.StepFailed failed -> {
                if (faults.stream().noneMatch(failed.message()::equals)) {
                    throw wrong(before, "a step of it fails by itself: " + failed);
                }
            }
            case JobEvent.TaskSucceeded done -> done(before, account, done.task());
            case JobEvent.TaskReused done -> done(before, account, done.task());
            case JobEvent.OutcomeResolved resolved -> {
                if (resolved.resolution() instanceof Resolution.Happened) {
                    done(before, account, resolved.task());
                }
            }
            case JobEvent.LeaseLost maybe -> done(before, account, maybe.task());
            case JobEvent.AttemptDropped maybe -> {
                if (maybe.lingers() || maybe.again().isEmpty()) {
                    done(before, account, maybe.task());
                }
            }
            case JobEvent.AttemptFailed failed -> {
                if (failed.lingers()) {
                    done(before, account, failed.task());
                }
            }
            case JobEvent.OutcomeUnknown maybe -> {
                if (maybe.lingers()) {
                    done(before, account, maybe.task());
                }
            }
            case JobEvent.TaskFailed failed -> {
                if (failed.lingers()) {
                    done(before, account, failed.task());
                }
            }
            case JobEvent.TasksOpened opened -> opened(before, account, opened.specs());
            case JobEvent.TaskOpened opened -> opened(before, account, List.of(opened.spec()));
            case JobEvent.ChildRequested asked ->
                    begun(before, account, List.of(object(asked.spec().initialData())));
            case JobEvent.ChildrenRequested asked ->
                    begun(before, account, asked.initialData().stream().map(this::object).toList());
            case JobEvent.QuarantineResolved _ -> account.repeats++;
            case JobEvent.JobRewound rewound -> {
                account.repeats++;
                account.isOver = false;
                account.compensation = null;
                account.last = last(rewound.data());
            }
            case JobEvent.JobForked forked -> account.last = last(forked.data());
            case JobEvent.CancelRequested _ -> account.compensation = null;
            case JobEvent.CompensationStarted _ ->
                    account.compensation = new Compensation(account.done.size());
            case JobEvent.JobContinued continued -> {
                requireNewRun(before, account, program, continued);
                accounts.put(before.id(), new Account());
            }
            case JobEvent.JobEnded _ -> {
                if (!account.isOver) {
                    var _ = requireStandstill(before, account, program);
                }
            }
            default -> {
                // is of no concern to a function
            }
        }
    }

    private RuntimeException wrong(Job job, String what) {
        return world.failure(
                "the function of job " + job.id() + " (" + job.spec().blueprint() + "): " + what);
    }

    private JsonObject object(JobData data) {
        var object = JsonObject.builder();
        data.values().forEach((name, value) -> object.put(name, values.apply(value)));
        return object.build();
    }

    private String last(JobData data) {
        return data.get(ENTRY)
                .flatMap(entry -> ((JsonObject) values.apply(entry)).string("id"))
                .orElse("");
    }

    // Entries

    private void follows(Job job, Account account, JsonObject entry) {
        var before = entry.string("before").orElse("");
        // Of a job that was forked off, the function begins anew.
        var last = account.entries.containsKey(account.last) ? account.last : "";
        if (!before.equals(last)) {
            throw wrong(job, "it is at entry '" + last + "', and then comes " + entry);
        }
        var id = entry.string("id").orElseThrow();
        if (account.entries.put(id, entry) != null) {
            throw wrong(job, "two of its entries have the id " + id);
        }
        account.last = id;
    }

    private List<JsonObject> entries(Account account) {
        var entries = new ArrayList<JsonObject>();
        for (var next = account.entries.get(account.last);
                next != null;
                next = account.entries.get(next.string("before").orElse(""))) {
            entries.add(next);
        }
        return entries.reversed();
    }

    // What comes of it

    private RecordedRun recorded(Job job, Account account) {
        return new RecordedRun(
                job,
                object(job.spec().initialData()),
                entries(account),
                values,
                what -> wrong(job, what));
    }

    private JsonObject input(Job job) {
        return job.data()
                .get(INPUT)
                .map(input -> (JsonObject) values.apply(input))
                .orElseGet(() -> object(job.spec().initialData()));
    }

    /// The end to which the code comes; empty if it waits at the end of the history.
    private Optional<JobOutcome> played(Job job, JobProgram program, RecordedRun run) {
        try {
            run.begin();
            var result = program.run(run, input(job));
            run.end();
            return Optional.of(new JobOutcome.Finished(Payload.of(JsonNumber.of(result))));
        } catch (RecordedRun.EndOfHistory waits) {
            return Optional.empty();
        } catch (RunFailed failed) {
            run.end();
            return Optional.of(new JobOutcome.Failed(String.valueOf(failed.getMessage())));
        } catch (RunCancelled cancelled) {
            run.end();
            return Optional.of(new JobOutcome.Cancelled(String.valueOf(cancelled.getMessage())));
        }
    }

    private void requireEnd(Job job, Account account, JobProgram program, List<JobEvent> behind) {
        var run = recorded(job, account);
        Optional<JobOutcome> expected;
        try {
            expected = played(job, program, run);
        } catch (RecordedRun.Continued anew) {
            throw wrong(job, "its code continues as new, and then comes " + behind);
        }
        var comes = behind.stream().flatMap(FunctionInvariants::end).findFirst();
        if (expected.isEmpty() || !expected.equals(comes)) {
            throw wrong(job, "its code comes to " + expected + ", and then comes " + behind);
        }
        requireOpened(job, account, run);
    }

    private static Stream<JobOutcome> end(JobEvent event) {
        return switch (event) {
            case JobEvent.JobEnded(var outcome, var _) -> Stream.of(outcome);
            case JobEvent.CompensationStarted(
                            CompensationLog.End(var outcome),
                            var _,
                            var _,
                            var _) ->
                    Stream.of(outcome);
            default -> Stream.empty();
        };
    }

    /// The job ends, and not by its function: the code waits.
    private RecordedRun requireStandstill(Job job, Account account, JobProgram program) {
        var run = recorded(job, account);
        if (entries(account).isEmpty()) {
            return run;
        }
        Optional<JobOutcome> end;
        try {
            end = played(job, program, run);
        } catch (RecordedRun.Continued anew) {
            throw wrong(job, "its code continues as new, and it ends");
        }
        if (end.isPresent()) {
            throw wrong(job, "its code has come to " + end + ", and its job has not");
        }
        requireOpened(job, account, run);
        return run;
    }

    /// The last call of a run that continues as new has what the next one begins with.
    private void requireNewRun(
            Job job, Account account, JobProgram program, JobEvent.JobContinued continued) {
        var calls = requireStandstill(job, account, program).asked();
        var last = calls.get(calls.size() - 1L);
        var input = object(continued.data()).object(INPUT).orElse(JsonObject.EMPTY);
        var isRight =
                last != null
                        && last.get("n").equals(input.get("n"))
                        && round(input) == round(input(job)) + 1;
        if (!isRight) {
            throw wrong(
                    job, "its last call was " + last + ", and it continues as new with " + input);
        }
    }

    private static long round(JsonObject input) {
        return input.number(JobWorld.ROUND).map(JsonNumber::asLong).orElse(0L);
    }

    private void requireOpened(Job job, Account account, RecordedRun run) {
        if (account.repeats > 0) {
            return;
        }
        account.opened.forEach((place, params) -> {
            var asked = run.asked().get(place);
            if (asked == null || !params.getLast().equals(asked)) {
                throw wrong(job, "its code asks for " + asked + ", and it has begun " + params);
            }
        });
    }

    // Calls

    private void opened(Job job, Account account, List<TaskSpec> specs) {
        var params = specs.stream().map(spec -> (JsonObject) values.apply(spec.params())).toList();
        if (!params.isEmpty() && params.getFirst().has(JobWorld.COMPENSATES)) {
            compensated(job, account, params.getFirst());
        } else {
            begun(job, account, params);
        }
    }

    private void begun(Job job, Account account, List<JsonObject> calls) {
        for (var call : calls) {
            var place = call.number(JobWorld.CALL).map(JsonNumber::asLong).orElse(-1L);
            var all = account.opened.computeIfAbsent(place, _ -> new ArrayList<>());
            all.add(call);
            if (all.size() > 1 + account.repeats) {
                throw wrong(
                        job,
                        "it has begun "
                                + call
                                + " "
                                + all.size()
                                + " times, and people let it do so again "
                                + account.repeats
                                + " times");
            }
            if (round(call) != round(input(job))) {
                throw wrong(job, "it is in run " + round(input(job)) + ", and has begun " + call);
            }
        }
    }

    private void done(Job job, Account account, int task) {
        if (!account.doneTasks.add(task)) {
            return;
        }
        var params = values.apply(job.tasks().get(task).spec().params());
        ((JsonObject) params)
                .number(JobWorld.CALL)
                .ifPresent(place -> account.done.add(place.asLong()));
    }

    /// @param params of what compensates a call
    private void compensated(Job job, Account account, JsonObject params) {
        var place = params.number(JobWorld.COMPENSATES).orElseThrow().asLong();
        var compensation = account.compensation;
        if (compensation == null) {
            throw wrong(job, "it compensates call " + place + ", and has no reason for it");
        }
        var rank = account.done.lastIndexOf(place);
        if (account.repeats == 0 && rank > compensation.rank && rank < compensation.done) {
            throw wrong(
                    job,
                    "it compensates call "
                            + place
                            + " after one that was done before it, of "
                            + account.done);
        }
        compensation.rank = rank < 0 ? compensation.rank : Math.min(compensation.rank, rank);
        params.get(JobWorld.RESULT)
                .ifPresent(result -> {
                    if (job.tasks().stream().noneMatch(task -> hasResult(task, place, result))) {
                        throw wrong(
                                job,
                                "no call "
                                        + place
                                        + " had the result that it compensates: "
                                        + params);
                    }
                });
    }

    private boolean hasResult(Task task, long place, JsonValue result) {
        return task.state() instanceof Task.Succeeded done
                && values.apply(task.spec().params()) instanceof JsonObject params
                && params.number(JobWorld.CALL).filter(it -> it.asLong() == place).isPresent()
                && JsonNumber.of(JobWorld.value(values.apply(done.data()))).equals(result);
    }
}
