package dev.artel.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ExceptionHandler;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FatalErrorsTest {
    private final List<Throwable> fatal = new ArrayList<>();
    private final ExceptionHandler handler = new FatalErrors(fatal::add);

    @Test
    void anErrorOfTheClient_isPassedOn_andAnExceptionIsNot() {
        var error = new OutOfMemoryError("of the test");
        var nobody =
                (Connection)
                        Proxy.newProxyInstance(
                                Connection.class.getClassLoader(),
                                new Class<?>[] {Connection.class},
                                (_, _, _) -> null);

        handler.handleUnexpectedConnectionDriverException(nobody, new IOException("no error"));
        handler.handleUnexpectedConnectionDriverException(nobody, error);
        handler.handleUnexpectedConnectionDriverException(nobody, new IOException(error));

        assertThat(fatal).containsExactly(error, error);
    }
}
