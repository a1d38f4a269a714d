package dev.artel.examples.photos.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.examples.photos.demo.JobStory.Turn;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import java.util.List;
import org.junit.jupiter.api.Test;

final class JobStoryTest {
    private final JobStory story = new JobStory();

    @Test
    void aLostTask_isShownWithItsNextWorker() {
        hear("{'type':'tasks.opened','count':2}");
        hear("{'type':'lease.granted','task':1,'attempt':1,'worker':'ada','task_id':'t1'}");

        var lost = hear("{'type':'lease.lost','task':1,'task_id':'t1','reason':'gone'}");
        var moved =
                hear(
                        "{'type':'lease.granted','task':1,'attempt':2,'worker':'bob','task_id':'t2',"
                                + "'placement':{'because':'it was free'}}");

        assertThat(lost)
                .singleElement()
                .isInstanceOfSatisfying(
                        Turn.Lost.class, turn -> assertThat(turn.reason()).isEqualTo("gone"));
        assertThat(moved).containsExactly(new Turn.Moved(1, "ada", "bob", 2, "it was free"));
        assertThat(story.held()).extracting(JobStory.Held::worker).containsExactly("bob");
    }

    @Test
    void theEnd_isKnownByItsEvent_andTheSheetCountsAsATask() {
        hear("{'type':'tasks.opened','count':1}");
        hear("{'type':'lease.granted','task':0,'attempt':1,'worker':'ada','task_id':'t1'}");
        hear("{'type':'task.succeeded','task':0,'task_id':'t1'}");
        hear("{'type':'task.failed','task':1}");

        assertThat(story.hasEnded()).isFalse();
        hear("{'type':'job.ended'}");

        assertThat(story.hasEnded()).isTrue();
        assertThat(story.total()).isEqualTo(2);
        assertThat(story.settled()).isEqualTo(2);
        assertThat(story.done()).containsOnlyKeys("ada").containsEntry("ada", 1);
        assertThat(story.version()).isEqualTo(5);
    }

    private List<Turn> hear(String event) {
        var json = (JsonObject) JsonText.read(event.replace('\'', '"'));
        var version = JsonObject.builder().putAll(json).put("version", story.version() + 1);
        return story.hear(List.of(version.put("at", "2026-01-01T00:00:00Z").build()));
    }
}
