package dev.artel.actions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonString;
import dev.artel.worker.InvalidInput;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FileActionsTest extends ActionTestCase {
    @Test
    void aFile_isWrittenReadListedAndDeleted() throws Exception {
        assertThat(run("file_storage", "{'path':'reports/a.md','content':'abc'}"))
                .isEqualTo(
                        json(
                                "{'path':'reports/a.md','bytes':3,'sha256':'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'}"));
        assertThat(Files.readString(folder.resolve("files/reports/a.md"))).isEqualTo("abc");
        assertThat(run("file_storage", "{'path':'reports/a.md'}").string("content"))
                .contains("abc");
        run("file_storage", "{'path':'b','content':'Grüße'}");
        assertThat(run("file_storage", "{'operation':'list','prefix':'rep'}"))
                .isEqualTo(json("{'paths':['reports/a.md']}"));
        assertThat(run("file_storage", "{'operation':'exists','path':'b'}"))
                .isEqualTo(json("{'path':'b','exists':true}"));
        assertThat(run("file_storage", "{'operation':'delete','path':'b'}"))
                .isEqualTo(json("{'path':'b','deleted':true}"));
        assertThat(run("file_storage", "{'operation':'delete','path':'b'}"))
                .isEqualTo(json("{'path':'b','deleted':false}"));
        assertThat(run("file_storage", "{'operation':'exists','path':'b'}"))
                .isEqualTo(json("{'path':'b','exists':false}"));
    }

    @Test
    void aValue_isKeptAsJson_andReadAsValue() throws Exception {
        assertThat(
                        run("save_to_storage", "{'key':'k','storage':'replies','value':{'a':[1]}}")
                                .string("path"))
                .contains("replies/k.json");

        assertThat(run("file_storage", "{'path':'replies/k.json'}").get("content"))
                .contains(json("{'a':[1]}"));
    }

    @Test
    void aFileIsWrittenAgain_unlessOverwriteIsFalse() throws Exception {
        run("file_storage", "{'path':'a','content':'1'}");
        run("file_storage", "{'path':'a','content':'2'}");

        assertThatThrownBy(
                        () -> run("file_storage", "{'path':'a','content':'3','overwrite':false}"))
                .isInstanceOf(InvalidInput.class)
                .hasMessage("the file 'a' is there already, and overwrite is false");
        assertThat(run("file_storage", "{'path':'a'}").get("content"))
                .contains(new JsonString("2"));
        assertThat(run("file_storage", "{'operation':'list'}")).isEqualTo(json("{'paths':['a']}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"../a", "/etc/passwd", "a/../../b", "", " ", ".", "a/.unfinished-1"})
    void noNameLeadsOut(String name) {
        assertThatThrownBy(() -> run("file_storage", "{'path':'" + name + "','content':'x'}"))
                .isInstanceOf(InvalidInput.class)
                .hasMessageContaining("a file is named like reports/2026.md");
    }

    @Test
    void noSymbolicLinkLeadsOut() throws Exception {
        var elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Files.writeString(elsewhere.resolve("secret"), "s");
        Files.createDirectories(folder.resolve("files"));
        Files.createSymbolicLink(folder.resolve("files/out"), elsewhere);
        Files.createSymbolicLink(folder.resolve("files/link"), elsewhere.resolve("secret"));

        assertThatThrownBy(() -> run("file_storage", "{'path':'out/b','content':'x'}"))
                .isInstanceOf(InvalidInput.class)
                .hasMessage("'out/b' leads out of the folder of the actions by a symbolic link");
        assertThatThrownBy(() -> run("file_storage", "{'path':'out/secret'}"))
                .isInstanceOf(InvalidInput.class);
        assertThatThrownBy(() -> run("file_storage", "{'path':'link'}"))
                .isInstanceOf(InvalidInput.class);
        assertThatThrownBy(() -> run("file_storage", "{'path':'out/new/b','content':'x'}"))
                .isInstanceOf(InvalidInput.class);
        assertThat(elsewhere).isDirectoryNotContaining("glob:**{b,new}");
    }

    @Test
    void whatIsTooLarge_isRefused() {
        assertThatThrownBy(() ->
                        run(
                                "file_storage",
                                "{'path':'a','content':'" + "x".repeat(MAX_BYTES + 1) + "'}"))
                .isInstanceOf(InvalidInput.class)
                .hasMessage(
                        "the file 'a' has 10,001 bytes; at most 10,000 are allowed (actions.max-bytes)");
    }

    @Test
    void aFileThatIsNotThere_isNamed() {
        assertThatThrownBy(() -> run("file_storage", "{'path':'nothing'}"))
                .isInstanceOf(InvalidInput.class)
                .hasMessage("there is no file 'nothing' in the folder of the actions");
    }
}
