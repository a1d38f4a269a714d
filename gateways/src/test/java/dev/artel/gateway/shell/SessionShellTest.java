package dev.artel.gateway.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.protocol.Register;
import dev.artel.session.SessionReply;
import dev.artel.session.SessionSettings;
import dev.artel.testkit.transport.ManualClock;
import dev.artel.testkit.transport.ReferenceEngine;
import dev.artel.waits.Await;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(Await.HUNG)
final class SessionShellTest {
    private static final WorkerId WORKER = new WorkerId("w1");
    private static final Register REGISTER =
            Register.read(JsonObject.of("worker_id", new JsonString("w1")));

    /// Trap: a message that the session failed on was answered by nothing, and its worker waited for half a minute.
    @Test
    void aMessageThatTheSessionFailsOn_isAnsweredAtOnce_andTheNextIsAnsweredAsEver()
            throws Exception {
        var clock = new ManualClock();
        var isBroken = new AtomicBoolean();
        try (var shell =
                new SessionShell(
                        SessionSettings.DEFAULTS,
                        () -> {
                            if (isBroken.get()) {
                                throw new IllegalStateException("the clock is broken");
                            }
                            return clock.instant();
                        },
                        (_, _, _, _) -> {})) {
            shell.connect(new ReferenceEngine(clock));
            isBroken.set(true);
            var waited = shell.receive(WORKER, REGISTER);
            var sent = shell.send(WORKER, REGISTER).get(Await.seconds(), TimeUnit.SECONDS);
            isBroken.set(false);

            assertThat(List.of(waited, sent))
                    .allSatisfy(reply ->
                            assertThat(reply)
                                    .isInstanceOfSatisfying(
                                            SessionReply.TryLater.class,
                                            later ->
                                                    assertThat(later.detail())
                                                            .contains("could not process")));
            assertThat(shell.receive(WORKER, REGISTER)).isInstanceOf(SessionReply.Message.class);
        }
    }

    /// Trap: after a restart the worker is taken for an agent of the bus, with whatever its labels have.
    @Test
    void theLabelsOfAgentsOnTheBus_areLeftOutOfTheRegistrationsOfOtherWorkers_withAWarning()
            throws Exception {
        var clock = new ManualClock();
        var engine = new ReferenceEngine(clock);
        try (var shell = new SessionShell(SessionSettings.DEFAULTS, clock, (_, _, _, _) -> {})) {
            shell.connect(engine);
            var labels =
                    JsonObject.of(
                            "mindbus.lease-seconds", new JsonString("9"),
                            "zone", new JsonString("a"));
            var register = Register.read(REGISTER.toJson().with("labels", labels));

            var answers =
                    List.of(
                            shell.receive(WORKER, register),
                            shell.send(WORKER, register).get(Await.seconds(), TimeUnit.SECONDS));

            assertThat(answers)
                    .allSatisfy(answer ->
                            assertThat(answer.toString()).contains("'mindbus.'", "left out"));
            assertThat(engine.registrations())
                    .singleElement()
                    .satisfies(kept ->
                            assertThat(kept.words().object("labels"))
                                    .contains(JsonObject.of("zone", new JsonString("a"))));

            var _ = shell.sendMarked(WORKER, register).get(Await.seconds(), TimeUnit.SECONDS);

            assertThat(engine.registrations().getFirst().words().object("labels")).contains(labels);
        }
    }
}
