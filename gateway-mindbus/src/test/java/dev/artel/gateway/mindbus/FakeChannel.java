package dev.artel.gateway.mindbus;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmCallback;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Return;
import com.rabbitmq.client.ReturnCallback;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/// A channel to no broker: it notes what is published, or fails at that.
final class FakeChannel {
    /// The keys of what was published.
    final List<String> published = new CopyOnWriteArrayList<>();

    /// What each write fails with; null: none does.
    volatile @Nullable Exception failure;

    volatile boolean isOpen = true;

    /// One permit for each time that the publisher gave up the connection, which it does on a thread of its own.
    final Semaphore aborted = new Semaphore(0);

    private final Connection connection = proxy(Connection.class, this::ofConnection);
    private long number;
    private @Nullable ReturnCallback returns;
    private @Nullable ConfirmCallback taken;
    private @Nullable ConfirmCallback notTaken;

    /// Lets `publisher` send over it.
    void open(CommandPublisher publisher) {
        number = 0;
        try {
            publisher.opened(connection, () -> proxy(Channel.class, this::of));
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private @Nullable Object ofConnection(Object self, Method method, Object @Nullable [] given) {
        if (method.getName().equals("abort")) {
            aborted.release();
        }
        return null;
    }

    private @Nullable Object of(Object self, Method method, Object @Nullable [] given)
            throws Exception {
        var arguments = given == null ? new Object[0] : given;
        return switch (method.getName()) {
            case "isOpen" -> isOpen;
            case "getConnection" -> connection;
            case "basicPublish" -> {
                if (failure != null) {
                    throw failure;
                }
                published.add((String) arguments[1]);
                number++;
                yield null;
            }
            case "addReturnListener" -> {
                returns = (ReturnCallback) arguments[0];
                yield null;
            }
            case "addConfirmListener" -> {
                taken = (ConfirmCallback) arguments[0];
                notTaken = (ConfirmCallback) arguments[1];
                yield null;
            }
            default -> null;
        };
    }

    /// The broker confirms the last message.
    ///
    /// @param isTaken whether it has it
    void confirm(boolean isTaken) throws IOException {
        Objects.requireNonNull(isTaken ? taken : notTaken).handle(number, false);
    }

    /// The broker has no queue for `message`.
    void giveBack(Return message) {
        Objects.requireNonNull(returns).handle(message);
    }
}
