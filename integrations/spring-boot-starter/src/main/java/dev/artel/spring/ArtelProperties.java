package dev.artel.spring;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// The settings under `artel`.
///
/// @param url where the orchestrator's routes begin, without `/api`
/// @param clientToken what it knows the application by when it submits jobs; without it there is no client
/// @param workerToken what it knows the application by when it does tasks; without it there is no worker
/// @param callTimeout how long one call of the client may try
/// @param worker the worker
@ConfigurationProperties("artel")
public record ArtelProperties(
        @DefaultValue("http://localhost:8080") URI url,
        @Nullable String clientToken,
        @Nullable String workerToken,
        @DefaultValue("30s") Duration callTimeout,
        @DefaultValue Worker worker) {

    /// The settings under `artel.worker`.
    ///
    /// @param enabled whether tasks are done, if there are handlers for any
    /// @param id what orchestrators know it by, unique among their workers; made anew at each start if it is not set
    /// @param type a word for people
    /// @param maxConcurrentTasks the most tasks at a time
    /// @param drainTimeout how long running tasks may take to end when the application ends
    public record Worker(
            @DefaultValue("true") boolean enabled,
            @Nullable String id,
            @DefaultValue("spring-boot") String type,
            @DefaultValue("10") int maxConcurrentTasks,
            @DefaultValue("25s") Duration drainTimeout) {}

    /// Without the tokens.
    @Override
    public String toString() {
        return "ArtelProperties[url="
                + url
                + ", callTimeout="
                + callTimeout
                + ", worker="
                + worker
                + "]";
    }
}
