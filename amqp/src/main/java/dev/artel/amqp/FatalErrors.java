package dev.artel.amqp;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Consumer;
import com.rabbitmq.client.impl.DefaultExceptionHandler;
import org.jspecify.annotations.Nullable;

/// Passes on the errors of the client of RabbitMQ and of what it calls; by itself it logs them, and goes on with what is left. Exceptions end their
/// channel or their connection, as they do otherwise.
public final class FatalErrors extends DefaultExceptionHandler {
    private final java.util.function.Consumer<Throwable> fatal;

    /// @param fatal receives each error
    public FatalErrors(java.util.function.Consumer<Throwable> fatal) {
        this.fatal = fatal;
    }

    private void passOn(Throwable failure) {
        for (@Nullable Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof Error) {
                fatal.accept(at);
                return;
            }
        }
    }

    @Override
    public void handleUnexpectedConnectionDriverException(
            Connection connection, Throwable failure) {
        passOn(failure);
        super.handleUnexpectedConnectionDriverException(connection, failure);
    }

    @Override
    public void handleReturnListenerException(Channel channel, Throwable failure) {
        passOn(failure);
        super.handleReturnListenerException(channel, failure);
    }

    @Override
    public void handleConfirmListenerException(Channel channel, Throwable failure) {
        passOn(failure);
        super.handleConfirmListenerException(channel, failure);
    }

    @Override
    public void handleBlockedListenerException(Connection connection, Throwable failure) {
        passOn(failure);
        super.handleBlockedListenerException(connection, failure);
    }

    @Override
    public void handleConsumerException(
            Channel channel,
            Throwable failure,
            Consumer consumer,
            String consumerTag,
            String methodName) {
        passOn(failure);
        super.handleConsumerException(channel, failure, consumer, consumerTag, methodName);
    }
}
