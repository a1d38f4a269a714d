package dev.artel.amqp;

import static dev.artel.amqp.ScriptedSocket.header;
import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.MalformedFrameException;
import com.rabbitmq.client.impl.AMQImpl;
import com.rabbitmq.client.impl.Frame;
import dev.artel.waits.Await;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(Await.HUNG)
final class BoundedFramesTest {
    private static final BasicProperties PROPERTIES =
            new BasicProperties.Builder()
                    .contentType("application/json")
                    .contentEncoding("utf-8")
                    .headers(Map.of("x", 1))
                    .priority(7)
                    .correlationId("c-1")
                    .userId("agents")
                    .build();

    private final ScriptedSocket socket = new ScriptedSocket();
    private final ReadAhead ahead = new ReadAhead(1000);
    private final BoundedFrames frames = new BoundedFrames(socket, ahead, 800);

    @Test
    void aMessageWaitsForRoom_untilThoseBeforeItAreDone() throws Exception {
        socket.delivery(1, header(PROPERTIES, 600), 600, 600);
        socket.delivery(1, header(PROPERTIES, 500), 500, 500);
        assertThat(types(4)).containsExactly(1, 2, 3, 1);

        var next = reading();
        ahead.done(600);

        assertThat(next.get(Await.seconds(), TimeUnit.SECONDS).getType()).isEqualTo(2);
    }

    /// Trap: the client throws away what comes now, and waits for the answer behind it.
    @Test
    void aConnectionThatIsBeingClosed_waitsForNoRoom() throws Exception {
        socket.delivery(1, header(PROPERTIES, 600), 600, 600);
        socket.delivery(1, header(PROPERTIES, 500), 500, 500);
        types(4);

        var next = reading();
        frames.writeFrame(new AMQImpl.Connection.Close(200, "of the test", 0, 0).toFrame(0));

        assertThat(next.get(Await.seconds(), TimeUnit.SECONDS).getType()).isEqualTo(2);
    }

    @Test
    void aConnectionThatIsClosed_waitsForNoRoom() throws Exception {
        socket.delivery(1, header(PROPERTIES, 600), 600, 600);
        socket.delivery(1, header(PROPERTIES, 500), 500, 500);
        types(4);

        var next = reading();
        frames.close();

        Assertions.assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> next.get(Await.seconds(), TimeUnit.SECONDS))
                .withCauseInstanceOf(IOException.class);
        assertThat(socket.isClosed).isTrue();
    }

    /// Reads one frame on a thread that waits for room.
    private FutureTask<Frame> reading() {
        var next = new FutureTask<>(frames::readFrame);
        var reader = Thread.ofPlatform().daemon().start(next);
        await().until(() -> reader.getState() == Thread.State.WAITING);
        return next;
    }

    @Test
    void aMessageThatHasMoreThanAllOfTheRoom_isReadAlone() throws Exception {
        var small = new ReadAhead(10);
        var alone = new BoundedFrames(socket, small, 800);
        socket.delivery(1, header(PROPERTIES, 600), 600, 600);

        assertThat(
                        CompletableFuture.supplyAsync(() -> read(alone, 3))
                                .get(Await.seconds(), TimeUnit.SECONDS))
                .hasSize(3);
    }

    @Test
    void aMessageThatComesBackToItsSender_takesNoRoom() throws Exception {
        socket.returned(1, header(PROPERTIES, 900), 900);
        socket.returned(1, header(PROPERTIES, 900), 900);

        assertThat(types(6)).containsExactly(1, 2, 3, 1, 2, 3);
    }

    @Test
    void aMessageThatIsTooLarge_hasItsProperties_aReason_andNoBody() throws Exception {
        socket.delivery(1, header(PROPERTIES, 801), 801, 100);
        socket.delivery(2, header(PROPERTIES, 5), 5, 5);

        var read = read(frames, 5);

        assertThat(read.stream().map(Frame::getChannel)).containsExactly(1, 1, 2, 2, 2);
        assertThat(ContentHeader.bodySize(read.get(1).getPayload())).isZero();
        var properties = properties(read.get(1));
        assertThat(BoundedConnections.refusal(properties))
                .hasValue("it has 801 bytes, the limit is 800");
        assertThat(properties)
                .isEqualTo(PROPERTIES.builder().headers(properties.getHeaders()).build());
        assertThat(read.get(4).getPayload()).hasSize(5);
    }

    /// Trap: the client decodes tables to a depth of 32, and ends the connection over a deeper one.
    @Test
    void aTableInAHeader_isLeftOut_howeverDeepItIs() throws Exception {
        var deep = PROPERTIES.builder().headers(nested(40)).build();
        Assertions.assertThatExceptionOfType(MalformedFrameException.class)
                .isThrownBy(() -> properties(new Frame(2, 1, header(deep, 5))));
        socket.delivery(1, header(deep, 5), 5, 5);

        var read = read(frames, 3);

        assertThat(properties(read.get(1))).isEqualTo(deep.builder().headers(null).build());
        assertThat(read.get(2).getPayload()).hasSize(5);
    }

    private static Map<String, Object> nested(int depth) {
        Map<String, Object> table = Map.of();
        for (var i = 1; i < depth; i++) {
            table = Map.of("a", table);
        }
        return table;
    }

    @Test
    void aHeaderThatCannotBeDecoded_isThatOfARefusedMessageWithoutABody() throws Exception {
        var whole = header(PROPERTIES, 5);
        for (var length = 14; length < whole.length; length++) {
            socket.delivery(1, Arrays.copyOf(whole, length), 5, 2);
            socket.returned(1, Arrays.copyOf(whole, length), 5);
        }

        for (var length = 14; length < whole.length; length++) {
            var read = read(frames, 4);

            assertThat(read.stream().map(Frame::getType)).containsExactly(1, 2, 1, 2);
            for (var header : List.of(read.get(1), read.get(3))) {
                assertThat(ContentHeader.bodySize(header.getPayload())).isZero();
                assertThat(BoundedConnections.refusal(properties(header)).orElseThrow())
                        .startsWith("its properties cannot be decoded");
            }
        }
    }

    @Test
    void whatASenderPutsInTheTable_isNoRefusal() throws Exception {
        var own = PROPERTIES.builder().headers(Map.of(ContentHeader.REFUSAL, "mine")).build();
        socket.delivery(1, header(own, 0), 0, 1);

        assertThat(BoundedConnections.refusal(properties(read(frames, 2).get(1)))).isEmpty();
    }

    private List<Integer> types(int count) {
        return read(frames, count).stream().map(Frame::getType).toList();
    }

    private static List<Frame> read(BoundedFrames from, int count) {
        var read = new ArrayList<Frame>();
        try {
            while (read.size() < count) {
                read.add(Objects.requireNonNull(from.readFrame()));
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return read;
    }

    private static BasicProperties properties(Frame header) throws IOException {
        return (BasicProperties) AMQImpl.readContentHeaderFrom(header.getInputStream());
    }
}
