package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class HandlerSharesTest {
    /// Six places, three for each blueprint, two of which may compute; three may be left behind.
    private final HandlerShares shares = new HandlerShares(new HandlerPlaces(6, 3, 2, 3));

    private final HandlerShares.Share hung = shares.open("hung");
    private final HandlerShares.Share good = shares.open("good");

    @Test
    void aHandlerThatIsLeftBehind_leavesItsPlaceToOthers() {
        for (var i = 0; i < 2; i++) {
            var place = hung.begin();
            place.waits();
            assertThat(place.abandon()).isTrue();
        }

        assertThat(shares.running()).isZero();
        assertThat(hung.mayBegin()).isTrue();
        assertThat(good.mayBegin()).isTrue();
    }

    @Test
    void aBlueprintWithTooManyThatWereLeftBehind_getsNoFurtherOnes_andTheOthersDo() {
        for (var i = 0; i < 3; i++) {
            var place = hung.begin();
            place.waits();
            assertThat(place.abandon()).isTrue();
        }

        assertThat(hung.obstacle())
                .hasValueSatisfying(why ->
                        assertThat(why)
                                .contains("'hung' gets no further handlers: 3")
                                .endsWith("restart the orchestrator"));
        assertThat(good.mayBegin()).isTrue();
    }

    @Test
    void handlersThatComputeThoughTheirTimeIsOver_areNamedAsTheReason_notAsThoseThatWillEnd() {
        for (var i = 0; i < 2; i++) {
            assertThat(hung.begin().abandon()).isTrue();
        }

        assertThat(hung.obstacle())
                .hasValueSatisfying(why ->
                        assertThat(why)
                                .contains("'hung' gets no further handlers: 2")
                                .contains("compute although their time is over")
                                .endsWith("restart the orchestrator"));
        assertThat(good.mayBegin()).isTrue();
    }

    @Test
    void aHandlerThatWasLeftBehind_givesBackWhatItHas_whenItEnds() {
        var first = hung.begin();
        var second = hung.begin();
        assertThat(first.abandon()).isTrue();
        assertThat(second.abandon()).isTrue();

        first.end();

        assertThat(hung.mayBegin()).isTrue();
        assertThat(hung.load(0)).isEqualTo(new HandlerLoad("hung", 0, 1, 0, 1));
    }
}
