package dev.artel.examples.translation;

import dev.artel.blueprint.Blueprint;
import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.Nothing;
import dev.artel.blueprint.Step;
import dev.artel.blueprint.TaskType;
import java.time.Duration;
import java.util.List;

/// A book: its chapters are translated at the same time, and what the proofreader finds is corrected until there is nothing
/// to find.
final class Translation {
    record Book(String title, List<String> chapters) {}

    record Chapter(String chapter) {}

    static final BlueprintType<Book, Nothing> TRANSLATION =
            BlueprintType.of("translation", Book.class);
    static final TaskType<Chapter, Nothing> TRANSLATE = TaskType.of("translate", Chapter.class);
    static final TaskType<Book, Nothing> PROOFREAD = TaskType.of("proofread", Book.class);
    static final TaskType<Book, Nothing> CORRECT = TaskType.of("correct", Book.class);

    private Translation() {}

    static Blueprint translation() {
        var b = Blueprint.states(TRANSLATION);
        var proofread = b.state("proofread");
        var correct = b.state("correct");
        var printed = b.finish("printed", _ -> Nothing.NOTHING);

        b.guards(it -> it.withTransitions(12));
        b.start("translate")
                .callAll(TRANSLATE, Translation::chapters)
                .executionTimeout(Duration.ofMinutes(30))
                .hedgedAfter(Duration.ofMinutes(2))
                .then(proofread);
        b.in(proofread).call(PROOFREAD, Step::input).then(printed).on("mistakes", correct);
        b.in(correct).call(CORRECT, Step::input).then(proofread);
        return b.build();
    }

    private static List<Chapter> chapters(Step<Book> step) {
        return step.input().chapters().stream().map(Chapter::new).toList();
    }
}
