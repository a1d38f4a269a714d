package dev.artel.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.protocol.Readiness.Status;
import dev.artel.protocol.TaskOutcome.CancelledByWorker;
import dev.artel.protocol.TaskOutcome.Failed;
import dev.artel.protocol.TaskOutcome.Succeeded;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What workers and orchestrators of other generations send.
final class GenerationsTest {
    private static JsonObject json(String text) {
        return (JsonObject) JsonText.read(text.replace('\'', '"'));
    }

    private static Register register(String text) {
        return Register.read(json(text));
    }

    @Test
    void costsOfAResult_areMetrics_andThoseThatAreNamedSoGoFirst() {
        var envelope = "{\"job_id\":\"j\",\"task_id\":\"t\",\"status\":\"success\",%s}";

        assertThat(result(envelope.formatted("\"costs\":{\"cost_usd\":0.25,\"x\":1}")).metrics())
                .isEqualTo(json("{\"cost_usd\":0.25,\"x\":1}"));
        assertThat(
                        result(
                                        envelope.formatted(
                                                "\"costs\":{\"cost_usd\":0.25},\"metrics\":{\"cost_usd\":2}"))
                                .metrics())
                .isEqualTo(json("{\"cost_usd\":2}"));
        assertThat(result(envelope.formatted("\"costs\":7")).metrics()).isNull();
    }

    /// Trap: a worker takes its numbers from its environment, and is refused as a whole.
    @Test
    void numbersInTexts_areReadWhereNumbersBelong_andNowhereElse() {
        var registration =
                "{'worker_id':'w','cost':%1$s0.5%1$s,'max_concurrent_tasks':%1$s4%1$s,'lease_ms':%1$s30000%1$s,"
                        + "'resources':{'properties':{'cpu_cores':%1$s8%1$s,'ram_gb':%1$s1e2%1$s},"
                        + "'devices':[{'model':'7','properties':{'memory_gb':%1$s24%1$s}}]},"
                        + "'category_limits':{'gpu':%1$s1%1$s},'cost_per_skill':{'draw':%1$s2%1$s},"
                        + "'labels':{'cost':'7'},'hostname':'12'}";
        var ofTexts = register(registration.formatted("'"));
        var ofNumbers = register(registration.formatted(""));

        assertThat(ofTexts.toJson()).isEqualTo(ofNumbers.toJson());
        assertThat(ofNumbers.warning()).isNull();
        assertThat(ofTexts.warning())
                .isEqualTo(
                        "read as numbers, although they are texts: cost, max_concurrent_tasks, lease_ms,"
                                + " resources.properties.cpu_cores, resources.properties.ram_gb,"
                                + " resources.devices[0].properties.memory_gb, category_limits.gpu,"
                                + " cost_per_skill.draw; send numbers without quotes");
        for (var none : List.of("dear", "", "0x10", "1e999999999", "NaN", "9".repeat(50))) {
            assertThatThrownBy(() -> register("{'worker_id':'w','cost':'" + none + "'}"))
                    .isInstanceOf(MalformedMessage.class)
                    .hasMessage("cost: expected a number, found a string");
        }
    }

    @Test
    void theReasonForAnIgnoredResult_isReadInTheWordsOfEachGeneration() {
        for (var words :
                List.of(
                        List.of("not_found", "job_not_found"),
                        List.of("mismatch", "worker_mismatch"),
                        List.of("stale", "stale_task"),
                        List.of("late", "deadline_exceeded"),
                        List.of("cancelled", "job_cancelled"))) {
            var answer = ResultAnswer.ignored(words.getFirst());

            assertThat(answer.toJson())
                    .isEqualTo(json("{'status':'ignored','reason':'" + words.getFirst() + "'}"));
            assertThat(answer.toJsonForFlatResults())
                    .isEqualTo(
                            json(
                                    "{'status':'ignored','reason':'"
                                            + words.getLast()
                                            + "','code':'"
                                            + words.getFirst()
                                            + "'}"));
            assertThat(ResultAnswer.read(answer.toJson())).isEqualTo(answer);
            assertThat(ResultAnswer.read(answer.toJsonForFlatResults())).isEqualTo(answer);
        }
        assertThat(new ResultAnswer("accepted", null).toJsonForFlatResults())
                .isEqualTo(json("{'status':'accepted'}"));
    }

    @Test
    void aDeviceOfAnotherType_isNoGraphicsProcessor() {
        var gpus =
                Register.read(
                                json(
                                        "{'worker_id':'w','resources':{'devices':[{'type':'tpu','model':'v5e','properties':{'memory_gb':16}},{'type':'NVIDIA-GPU','model':'A100'},{'model':'T4'}]}}"
                                                .replace('\'', '"')))
                        .profile()
                        .resources()
                        .gpus();

        assertThat(gpus).extracting(Resources.Gpu::model).containsExactly("A100", "T4");
    }

    @Test
    void aResult_mayHaveMetrics_inTheWordsOfTheWorker() {
        var text =
                "{\"job_id\":\"j\",\"task_id\":\"t\",\"metrics\":{\"tokens_used\":7},\"result\":{\"status\":\"success\",\"data\":{}}}";

        var read = result(text);

        assertThat(read.metrics()).isEqualTo(json("{\"tokens_used\":7}"));
        assertThat(read.toJson()).isEqualTo(json(text));
        assertThat(result(read.toJson().with("metrics", JsonValue.of(true)).toString()).metrics())
                .isNull();
    }

    private static TaskResult result(String text) {
        return TaskResult.read(json(text));
    }

    private static Heartbeat.Full heartbeat(String text) {
        return (Heartbeat.Full) Heartbeat.read("w1", json(text));
    }

    @Test
    void aRegistrationOfTheFirstGeneration() {
        var register =
                register(
                        """
                        {'worker_id':'w1','worker_type':'t','supported_tasks':['echo'],
                         'max_concurrent_tasks':10,'installed_models':[{'name':'m','version':'1'}],
                         'hostname':'h','ip_address':'10.0.0.5',
                         'resources':{'cpu_cores':4,'gpu_info':{'model':'T4','vram_gb':16}}}\
                        """);

        assertThat(register.profile().names()).containsExactly("echo");
        assertThat(register.profile().limits().maxConcurrentTasks()).isEqualTo(10);
        assertThat(register.profile().installedModels())
                .containsExactly(new InstalledModel("m", "1"));
        assertThat(register.profile().resources().gpus())
                .containsExactly(new Resources.Gpu("T4", 16));
        assertThat(register.readiness()).isEqualTo(Readiness.IDLE);
        assertThat(register.wishes()).isEqualTo(Register.Wishes.NONE);
        assertThat(register.origin()).isEqualTo(new Register.Origin(null, "h", "10.0.0.5"));
    }

    @Test
    void aRegistrationOfALaterGeneration() {
        var register =
                register(
                        """
                        {'worker_id':'w1',
                         'supported_skills':[{'name':'echo','type':'light','version':'2',
                           'input_schema':{},'output_statuses':['success']}],
                         'capabilities':{'hostname':'h','ip_address':'10.0.0.5','websockets':true,
                           'cost_per_skill':{'echo':0.5},'s3_config_hash':'x','extra':{}},
                         'resources':{'properties':{'cpu_cores':8,'ram_gb':31.5},
                           'devices':[{'type':'gpu','model':'A100','properties':{'vram_gb':80}},
                             {'type':'tpu'}]},
                         'installed_artifacts':['m'],'skills_hash':'y','reputation':1.0,
                         'security':{'signer_id':'w1','signature':'z'},'timestamp':1}\
                        """);

        assertThat(register.profile().skills()).containsExactly(new Skill("echo", "light", "2"));
        assertThat(register.profile().costs().perSkill()).containsEntry("echo", 0.5);
        assertThat(register.profile().resources())
                .isEqualTo(new Resources(8.0, 31.5, List.of(new Resources.Gpu("A100", 80))));
        assertThat(register.profile().installedModels())
                .containsExactly(new InstalledModel("m", null));
        assertThat(register.wishes().websocket()).isTrue();
        assertThat(register.origin().hostname()).isEqualTo("h");
    }

    /// The registration of a worker is kept in this form for after a restart of the orchestrator.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'worker_id':'w1','worker_type':'t','supported_tasks':['echo'],'max_concurrent_tasks':3,"
                        + "'task_categories':{'echo':'light'},'category_limits':{'light':2},"
                        + "'installed_models':[{'name':'m','version':'1'},'n'],'hostname':'h','ip_address':'10.0.0.5',"
                        + "'resources':{'cpu_cores':4,'disk_gb':9,'gpu_info':{'model':'T4','vram_gb':16,'tops':7}},"
                        + "'cost':1,'cost_per_second':0.25,'cost_per_skill':{'echo':2},'skill_dependencies':{'echo':['m']},"
                        + "'hot_cache':['m'],'hot_skills':['echo'],'status':'busy','load':2,'labels':{'zone':'a'},"
                        + "'instance':'p1','lease_ms':5000,'capabilities':{'websockets':true},"
                        + "'multi_orchestrator_info':{'mode':'x'}}",
                "{'worker_id':'w1','supported_skills':[{'name':'echo','type':'light','version':'2'},{'name':'b'}],"
                        + "'capabilities':{'hostname':'h','cost_per_skill':{'echo':0.5}},"
                        + "'resources':{'properties':{'cpu_cores':8,'ram_gb':31.5},'devices':[{'model':'A100',"
                        + "'properties':{'memory_gb':80}},{'model':'B','vram_gb':4}]},'installed_artifacts':['m']}",
                "{'worker_id':'w1'}"
            })
    void whatWasReadOfARegistration_isReadAgainFromItsOwnForm(String text) {
        var read = register(text);

        assertThat(Register.read(read.toJson())).isEqualTo(read);
        assertThat(Register.read(JsonText.read(read.toJson().toString()))).isEqualTo(read);
    }

    @Test
    void anIdIsEnoughToRegister() {
        var register = register("{'worker_id':'w1','resources':null,'hot_cache':null}");

        assertThat(register.profile().skills()).isEmpty();
        assertThat(register.profile().limits().maxConcurrentTasks())
                .isEqualTo(Limits.DEFAULT_CONCURRENT_TASKS);
    }

    @Test
    void aHeartbeatOfTheFirstGeneration_leavesHotSkillsOutWhenThereAreNone() {
        var with =
                heartbeat(
                        """
                        {'load':1,'status':'idle','supported_tasks':['echo'],'hot_cache':['m'],
                         'skill_dependencies':{'echo':['m','n']}}\
                        """);
        var without = heartbeat("{'load':1}");

        assertThat(with.hotState().hotSkills()).isEmpty();
        assertThat(with.status()).isEqualTo(Status.IDLE);
        assertThat(with.available()).containsExactly("echo");
        assertThat(with.currentTasks()).isNull();
        assertThat(without.hotState()).isEqualTo(Heartbeat.HotState.UNREPORTED);
        assertThat(without.status()).isNull();
    }

    @Test
    void aHeartbeatOfALaterGeneration() {
        var heartbeat =
                heartbeat(
                        """
                        {'status':'draining','load':2.0,'available_skills':[{'name':'echo'}],
                         'current_tasks':['t1',{'task_id':'t2'}],'usage':{'cpu':0.5}}\
                        """);

        assertThat(heartbeat.status()).isEqualTo(Status.DRAINING);
        assertThat(heartbeat.load()).isEqualTo(2);
        assertThat(heartbeat.available()).containsExactly("echo");
        assertThat(heartbeat.currentTasks()).containsExactly("t1", "t2");
    }

    @Test
    void aHeartbeatWithoutAnythingIsEmpty() {
        assertThat(Heartbeat.read("w1", JsonObject.EMPTY)).isEqualTo(new Heartbeat.Empty("w1"));
    }

    @Test
    void aNestedResult() {
        var result =
                result(
                        """
                        {'job_id':'j','task_id':'t','worker_id':'w1',
                         'result':{'status':'needs_review','data':{'x':1}}}\
                        """);

        assertThat(result.lease()).isEqualTo("t");
        assertThat(result.outcome())
                .isEqualTo(new Succeeded("needs_review", JsonObject.of("x", JsonNumber.of(1))));
    }

    @Test
    void aFlatResult() {
        var success =
                result(
                        "{'job_id':'j','task_id':'t','worker_id':'w','status':'success',"
                                + "'data':{'x':1},'error':null,'data_metadata':null}");
        var failure =
                result(
                        "{'job_id':'j','task_id':'t','worker_id':'w','status':'failure','data':null,"
                                + "'error':{'code':'TIMEOUT_ERROR','message':'slow'}}");

        assertThat(success.outcome())
                .isEqualTo(TaskOutcome.success(JsonObject.of("x", JsonNumber.of(1))));
        assertThat(failure.outcome()).isEqualTo(new Failed("TIMEOUT_ERROR", "slow"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'result':null",
                "'result':{}",
                "'worker_id':'w'",
                "'result':{'status':null}",
                "'status':null,'data':null"
            })
    void aResultWithoutAStatus_isSuccess(String members) {
        assertThat(result("{'job_id':'j','task_id':'t'," + members + "}").outcome())
                .isEqualTo(TaskOutcome.success(JsonObject.EMPTY));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'error':{'code':'PERMANENT_ERROR','message':'m'} | PERMANENT_ERROR | m",
                "'error':'m'                                      | TRANSIENT_ERROR | m",
                "'error_message':'m'                              | TRANSIENT_ERROR | m",
                "'error':{'message':'m'}                          | TRANSIENT_ERROR | m",
                "'error':null           | TRANSIENT_ERROR | the worker gave no message",
            })
    void aFailureInAnyForm(String error, String code, String message) {
        var nested = "{'job_id':'j','task_id':'t','result':{'status':'failure'," + error + "}}";
        var flat = "{'job_id':'j','task_id':'t','status':'failure'," + error + "}";

        assertThat(result(nested).outcome()).isEqualTo(new Failed(code, message));
        assertThat(result(flat).outcome()).isEqualTo(new Failed(code, message));
    }

    @Test
    void aCancelledResult() {
        var text = "{'job_id':'j','task_id':'t','result':{'status':'cancelled'}}";

        assertThat(result(text).outcome()).isEqualTo(new CancelledByWorker());
    }

    @Test
    void oneMalformedResultOfABatch_harmsNoNeighbour() {
        var batch =
                ResultBatch.read(
                        json(
                                """
                                {'results':[{'job_id':'j'},7,
                                  {'job_id':'j','task_id':'t','result':null}]}\
                                """));

        assertThat(batch.entries().get(0))
                .isInstanceOfSatisfying(
                        ResultBatch.Entry.NotUnderstood.class,
                        entry ->
                                assertThat(entry.reason())
                                        .hasMessage(
                                                "results[0].task_id: expected a string, found nothing"));
        assertThat(batch.entries().get(1)).isInstanceOf(ResultBatch.Entry.NotUnderstood.class);
        assertThat(batch.entries().get(2)).isInstanceOf(ResultBatch.Entry.Understood.class);
    }

    @ParameterizedTest
    @CsvSource({"event", "type"})
    void progressUnderEitherWord(String word) {
        var frame =
                json(
                        "{'%s':'progress_update','task_id':'t','job_id':'j','progress':0.5,'message':'m'}"
                                .formatted(word));

        assertThat(Progress.readFrame(frame)).contains(new Progress("j", "t", null, 0.5, "m"));
    }

    @ParameterizedTest
    @CsvSource({"command", "type"})
    void cancelUnderEitherWord(String word) {
        var frame = json("{'%s':'cancel_task','task_id':'t'}".formatted(word));

        assertThat(CancelTask.readFrame(frame)).contains(new CancelTask("t", null, null));
    }

    @Test
    void framesOfAnotherKindAreForNobody() {
        assertThat(Progress.readFrame(json("{'event':'hello','type':7}"))).isEmpty();
        assertThat(CancelTask.readFrame(json("{'command':'restart','task_id':'t'}"))).isEmpty();
    }

    @Test
    void anOrchestratorOfTheFirstGeneration() {
        var record = json("{'worker_id':'w1','load':0,'status':'idle','reputation':1.0}");
        var task =
                json(
                        "{'job_id':'J','task_id':'T','type':'echo','params':{'x':1},'tracing_context':{}}");

        assertThat(RegisterAnswer.read(json("{'status':'registered'}")).lease()).isNull();
        assertThat(HeartbeatAnswer.read(record).cancelTasks()).isEmpty();
        assertThat(TaskAssignment.readAll(task).getFirst().lease()).isEqualTo("T");
        assertThat(TaskAssignment.readAll(task).getFirst().terms())
                .isEqualTo(TaskAssignment.Terms.NONE);
        assertThat(ResultAnswer.read(json("{'status':'result_accepted_success'}")).isRefused())
                .isFalse();
    }

    @Test
    void anOrchestratorOfALaterGeneration() {
        var answer =
                HeartbeatAnswer.read(
                        json(
                                """
                                {'require_full_sync':true,'cancel_tasks':['t1'],
                                 'next_heartbeat_jitter_ms':250}\
                                """));

        assertThat(answer)
                .isEqualTo(new HeartbeatAnswer("", List.of("t1"), true, Duration.ofMillis(250)));
        assertThat(ResultAnswer.read(json("{'status':'ignored','reason':'stale'}")))
                .isEqualTo(ResultAnswer.ignored("stale"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{}                                        | worker_id: expected a string, found nothing",
                "{'worker_id':7}                           | worker_id: expected a string, found a number",
                "{'worker_id':' '}                         | worker_id: expected a string that is not blank, found a blank one",
                "{'worker_id':'w','supported_tasks':'x'}   | supported_tasks: expected an array, found a string",
                "{'worker_id':'w','supported_tasks':[7]}   | supported_tasks[0]: expected a string or an object, found a number",
                "{'worker_id':'w','max_concurrent_tasks':-1} | max_concurrent_tasks: expected a whole number from 0 on, found a negative one",
                "{'worker_id':'w','max_concurrent_tasks':1.5} | max_concurrent_tasks: expected a whole number from 0 on, found another one",
                "{'worker_id':'w','max_concurrent_tasks':99999999999} | max_concurrent_tasks: expected at most 2147483647, found a larger number",
                "{'worker_id':'w','resources':{'gpu_info':[]}} | resources.gpu_info: expected an object, found an array",
                "{'worker_id':'w','cost_per_skill':{'a':'b'}} | cost_per_skill.a: expected a number, found a string",
                "{'worker_id':'w','lease_ms':10}           | lease_ms: expected 1000 to 600000, found 10",
                "{'worker_id':'w','capabilities':{'websockets':'yes'}} | capabilities.websockets: expected a boolean, found a string",
            })
    void aMalformedRegistration_isRefusedByPath(String text, String message) {
        assertThatExceptionOfType(MalformedMessage.class)
                .isThrownBy(() -> register(text))
                .withMessage(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "[]                        | the message: expected an object, found an array",
                "'text'                    | the message: expected an object, found a string",
                "null                      | the message: expected an object, found null",
                "{'job_id':'j'}            | task_id: expected a string, found nothing",
            })
    void aMalformedResult_isRefusedByPath(String text, String message) {
        assertThatExceptionOfType(MalformedMessage.class)
                .isThrownBy(() -> TaskResult.read(JsonText.read(text.replace('\'', '"'))))
                .withMessage(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'job_id':'j','task_id':'t','result':{'status':7}} | result.status: expected a string, found a number",
                "{'job_id':'j','task_id':'t','result':{'status':'failure','error':7}} | result.error: expected an object or a string, found a number",
            })
    void aResultThatCannotBeRead_isAFailureThatNamesIt(String text, String why) {
        var outcome = TaskResult.read(JsonText.read(text.replace('\'', '"'))).outcome();

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        TaskOutcome.Failed.class,
                        failed -> {
                            assertThat(failed.code()).isEqualTo(TaskOutcome.INVALID_RESULT);
                            assertThat(failed.message()).contains(why);
                        });
    }

    /// Trap: such a number is endless once it is read, and cannot be written again.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'worker_id':'w1','cost':1e999}",
                "{'worker_id':'w1','cost_per_skill':{'a':-1e999}}",
                "{'worker_id':'w1','resources':{'ram_gb':1e999}}",
                "{'worker_id':'w1','resources':{'tapes':1e999}}",
                "{'worker_id':'w1','resources':{'gpu_info':{'model':'T4','vram_gb':1e400}}}"
            })
    void aNumberThatIsTooLarge_isRefused(String registration) {
        assertThatExceptionOfType(MalformedMessage.class)
                .isThrownBy(() -> register(registration))
                .withMessageContaining("a number of at most");
    }
}
