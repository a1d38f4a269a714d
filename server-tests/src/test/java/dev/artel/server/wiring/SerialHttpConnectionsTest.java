package dev.artel.server.wiring;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.waits.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.io.AbstractConnection;
import org.eclipse.jetty.io.ByteArrayEndPoint;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Server;
import org.junit.jupiter.api.Test;

/// One thread at a time reads a connection.
final class SerialHttpConnectionsTest {
    /// What the first thread reads arrives when the test wants it.
    private static final class SlowEndPoint extends ByteArrayEndPoint {
        final CountDownLatch isReading = new CountDownLatch(1);
        final CountDownLatch mayRead = new CountDownLatch(1);
        final AtomicInteger reads = new AtomicInteger();

        @Override
        public int fill(ByteBuffer buffer) throws IOException {
            reads.incrementAndGet();
            isReading.countDown();
            try {
                if (!mayRead.await(Await.seconds(), TimeUnit.SECONDS)) {
                    throw new IOException("the test did not let it read");
                }
            } catch (InterruptedException interrupted) {
                throw new IOException(interrupted);
            }
            return super.fill(buffer);
        }
    }

    /// Trap: both own the buffer; the one gives it back to the pool while the other reads into it what another connection then takes for its request.
    @Test
    void aThreadThatComesWhileAnotherOneReads_leavesTheRestToIt() throws Exception {
        var server = new Server();
        var http = new SerialHttpConnections(new HttpConfiguration());
        var connector = new LocalConnector(server, http);
        server.addConnector(connector);
        server.start();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var endPoint = new SlowEndPoint();
            var connection = (AbstractConnection) http.newConnection(connector, endPoint);
            endPoint.setConnection(connection);
            var first = threads.submit(connection::onFillable);
            assertThat(endPoint.isReading.await(Await.seconds(), TimeUnit.SECONDS)).isTrue();

            threads.submit(connection::onFillable).get(Await.seconds(), TimeUnit.SECONDS);

            assertThat(endPoint.reads).hasValue(1);
            endPoint.mayRead.countDown();
            first.get(Await.seconds(), TimeUnit.SECONDS);
            await().untilAsserted(() -> assertThat(endPoint.reads).hasValueGreaterThan(1));
        } finally {
            server.stop();
        }
    }
}
