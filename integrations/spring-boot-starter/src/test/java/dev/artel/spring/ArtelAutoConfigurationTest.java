package dev.artel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.client.ArtelClient;
import dev.artel.client.JobSubmission;
import dev.artel.config.ServerConfig;
import dev.artel.engine.shell.Blueprints;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.server.ArtelNode;
import dev.artel.worker.Handles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// An application with the starter, beside a real orchestrator.
final class ArtelAutoConfigurationTest {
    record Guest(String name) {}

    record Greeting(String greeting) {}

    @TempDir static Path folder;

    private static ArtelNode node;

    private final ApplicationContextRunner application =
            new ApplicationContextRunner()
                    .withConfiguration(AutoConfigurations.of(ArtelAutoConfiguration.class));

    @BeforeAll
    static void start() {
        var config = ServerConfig.DEFAULTS.withPort(0).withData(folder.resolve("data"));
        node = ArtelNode.start(config, Blueprints.of(hello()));
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    private static Blueprint hello() {
        return Blueprint.named("hello")
                .start(
                        "greet",
                        step ->
                                Action.dispatch(
                                        TaskSpec.of("greet", step.initialData()),
                                        Outcomes.on("success", "greeted")))
                .leadingTo("greeted")
                .state("greeted", step -> Action.finish(step.data()))
                .build();
    }

    @ArtelWorker
    static class Greeter {
        private final String word;

        Greeter(String word) {
            this.word = word;
        }

        @Handles("greet")
        Greeting greet(Guest guest) {
            return new Greeting(word + ", " + guest.name() + "!");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Handlers {
        @Bean
        Greeter greeter() {
            return new Greeter("Welcome");
        }
    }

    private static Health healthOf(ApplicationContext context) {
        return Objects.requireNonNull(context.getBean(HealthIndicator.class).health());
    }

    private ApplicationContextRunner connected() {
        return application.withPropertyValues(
                "artel.url=" + node.uri(),
                "artel.client-token=" + node.clientToken(),
                "artel.worker-token=" + node.workerToken(),
                "artel.worker.id=spring-1",
                "artel.worker.max-concurrent-tasks=3");
    }

    @Test
    void anApplication_submitsJobs_andDoesTheirTasks() {
        connected()
                .withUserConfiguration(Handlers.class)
                .run(context -> {
                    var client = context.getBean(ArtelClient.class);

                    var job = client.submit(JobSubmission.of("hello", new Guest("Ada")));
                    var done = client.awaitFinal(job, Duration.ofMinutes(3));

                    assertThat(done.resultAs(Greeting.class))
                            .isEqualTo(new Greeting("Welcome, Ada!"));
                    assertThat(context.getBean(RunningWorker.class).isRunning()).isTrue();
                    var health = healthOf(context);
                    assertThat(health.getStatus()).isEqualTo(Status.UP);
                    assertThat(health.getDetails())
                            .containsEntry("orchestrator", "ready")
                            .containsEntry("worker", "running");
                });
    }

    @Test
    void theWorker_endsWithItsApplication() {
        var running = new RunningWorker[1];
        connected()
                .withUserConfiguration(Handlers.class)
                .run(context -> running[0] = context.getBean(RunningWorker.class));

        assertThat(running[0].isRunning()).isFalse();
    }

    @Test
    void withoutTokens_thereIsNeitherClientNorWorker() {
        application
                .withUserConfiguration(Handlers.class)
                .run(context ->
                        assertThat(context)
                                .hasNotFailed()
                                .doesNotHaveBean(ArtelClient.class)
                                .doesNotHaveBean(RunningWorker.class));
    }

    @Test
    void withoutHandlers_thereIsNoWorker() {
        connected()
                .run(context ->
                        assertThat(context)
                                .hasSingleBean(ArtelClient.class)
                                .doesNotHaveBean(RunningWorker.class));
    }

    @Test
    void aClientOfOnesOwn_isUsed() {
        connected()
                .withBean("own", ArtelClient.class, () -> ArtelClient.of(node.uri(), "own"))
                .run(context -> assertThat(context).hasSingleBean(ArtelClient.class));
    }

    @Test
    void anOrchestratorThatIsGone_isDown() {
        application
                .withPropertyValues("artel.url=http://127.0.0.1:1", "artel.client-token=t")
                .run(context -> assertThat(healthOf(context).getStatus()).isEqualTo(Status.DOWN));
    }

    /// Trap: tokens end up in the log of an application.
    @Test
    void theSettings_showNoToken() {
        connected()
                .run(context ->
                        assertThat(context.getBean(ArtelProperties.class).toString())
                                .contains(node.uri().toString())
                                .doesNotContain(node.clientToken(), node.workerToken()));
    }
}
