package dev.artel.blueprint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Collections;
import org.junit.jupiter.api.Test;

final class ApprovalTest {
    enum Way {
        TRAIN,
        TRAIN_OR_BUS
    }

    enum Nothing {}

    private static final Approval<Way> WAY = Approval.of(Way.class);

    @Test
    void theWordsOfAnEnum_areItsConstantsInLowerCase() {
        assertThat(WAY.choices()).containsExactly(Way.TRAIN, Way.TRAIN_OR_BUS);
        assertThat(WAY.words()).containsExactly("train", "train_or_bus");
        assertThat(WAY.word(Way.TRAIN_OR_BUS)).isEqualTo("train_or_bus");
        assertThat(WAY.choice("train")).contains(Way.TRAIN);
        assertThat(WAY.choice("TRAIN")).isEmpty();
        assertThat(WAY).isEqualTo(Approval.of(Way.class)).isNotEqualTo(Approval.YES_OR_NO);
        assertThat(WAY)
                .hasSameHashCodeAs(Approval.of(Way.class))
                .hasToString("[train, train_or_bus]");
    }

    @Test
    void wordsOfItsOwn_areTheirOwnChoices() {
        var way = Approval.of("by train", "by bus");

        assertThat(way.choices()).isEqualTo(way.words());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> way.word("by car"))
                .withMessage("'by car' is none of the choices [by train, by bus]");
    }

    @Test
    void aQuestionThatNobodyCanAnswer_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Approval.of(Nothing.class))
                .withMessage("an approval takes 1 to 20 choices, got 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Approval.of(Collections.nCopies(21, "a").toArray(String[]::new)))
                .withMessage("an approval takes 1 to 20 choices, got 21");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Approval.of("a", "a"))
                .withMessageContaining("names a choice twice");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Approval.of(" "))
                .withMessageContaining("must have 1 to 100 characters");
    }
}
