package dev.artel.worker.link;

import dev.artel.protocol.MalformedMessage;
import dev.artel.protocol.RegisterAnswer;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Goes back to an earlier wire when it works again: looks with growing pauses, which begin anew when the last return has
/// lasted.
final class WireReturn implements Loop {
    private static final Logger LOG = LoggerFactory.getLogger(WireReturn.class);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(250);
    private static final Duration LASTING = Duration.ofMinutes(1);

    private final OrchestratorClient orchestratorClient;
    private final OrchestratorClient.Introduction introduction;
    private final LinkSettings settings;
    private final RegistrationState registration;
    private int failures;
    private long returned = System.nanoTime();

    WireReturn(
            OrchestratorClient orchestratorClient,
            OrchestratorClient.Introduction introduction,
            LinkSettings settings,
            RegistrationState registration) {
        this.orchestratorClient = orchestratorClient;
        this.introduction = introduction;
        this.settings = settings;
        this.registration = registration;
    }

    @Override
    public void turn() throws InterruptedException {
        if (orchestratorClient.isOnItsFirst()) {
            if (System.nanoTime() - returned > LASTING.toNanos()) {
                failures = 0;
            }
            Thread.sleep(LOOK_AGAIN);
            return;
        }
        failures++;
        Thread.sleep(settings.registrationBackoff().after(failures));
        if (!registration.isKnown()) {
            return;
        }
        var answer = orchestratorClient.goBack(introduction, settings.request());
        if (answer != null) {
            returned = System.nanoTime();
            try {
                registration.accept(RegisterAnswer.read(answer.json()));
            } catch (MalformedMessage unreadable) {
                LOG.atWarn()
                        .addKeyValue("orchestrator", orchestratorClient)
                        .addKeyValue("cause", unreadable.getMessage())
                        .log("the answer to a registration cannot be read");
            }
            if (orchestratorClient.hasEnded()) {
                registration.lose();
            }
        }
    }
}
