package dev.artel.spring;

import dev.artel.client.ArtelClient;
import dev.artel.client.ClientRetryPolicy;
import dev.artel.worker.TaskTracer;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Gives an application a client where `artel.client-token` is set, and a worker where `artel.worker-token` is set and there
/// is a bean with [ArtelWorker]; and both a place in the application's health.
@AutoConfiguration
@EnableConfigurationProperties(ArtelProperties.class)
public class ArtelAutoConfiguration {
    /// One is as good as another.
    public ArtelAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnProperty("artel.client-token")
    ArtelClient artelClient(ArtelProperties settings) {
        var token = settings.clientToken();
        return ArtelClient.of(
                settings.url(),
                token == null ? "" : token,
                ClientRetryPolicy.DEFAULTS.withTotal(settings.callTimeout()));
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnProperty("artel.worker-token")
    @ConditionalOnBean(annotation = ArtelWorker.class)
    RunningWorker artelRunningWorker(
            ArtelProperties settings, ApplicationContext beans, ObjectProvider<TaskTracer> tracer) {
        var handlers = beans.getBeansWithAnnotation(ArtelWorker.class).values();
        return new RunningWorker(
                settings, List.copyOf(handlers), tracer.getIfAvailable(() -> TaskTracer.NONE));
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HealthIndicator.class)
    static class Health {
        @Bean
        @ConditionalOnMissingBean(name = "artelHealthIndicator")
        HealthIndicator artelHealthIndicator(
                ObjectProvider<ArtelClient> client, ObjectProvider<RunningWorker> worker) {
            return new ArtelHealth(client.getIfAvailable(), worker.getIfAvailable());
        }
    }
}
