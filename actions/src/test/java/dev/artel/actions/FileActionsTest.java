package dev.artel.actions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonString;
import dev.artel.waits.Await;
import dev.artel.worker.InvalidInput;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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
                .isEqualTo(json("{'paths':['reports/a.md'],'more':false}"));
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
        assertThat(run("file_storage", "{'operation':'list'}"))
                .isEqualTo(json("{'paths':['a'],'more':false}"));
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

    /// Trap: each file of a client makes 250 folders, until the disk can hold no more files of anybody.
    @Test
    void aNameWithMoreFoldersThanAreAllowed_isRefused_andMakesNone() throws Exception {
        run("file_storage", "{'path':'" + "a/".repeat(16) + "f','content':'x'}");

        assertThatThrownBy(() ->
                        run("file_storage", "{'path':'b/" + "a/".repeat(16) + "f','content':'x'}"))
                .isInstanceOf(InvalidInput.class)
                .hasMessageContaining("has more than 16 folders");
        assertThatThrownBy(() ->
                        run(
                                "save_to_storage",
                                "{'key':'"
                                        + "a/".repeat(8)
                                        + "k','storage':'b"
                                        + "/a".repeat(8)
                                        + "','value':1}"))
                .isInstanceOf(InvalidInput.class)
                .hasMessageContaining("has more than 16 folders");
        assertThat(folder.resolve("files")).isDirectoryNotContaining("glob:**/b");
    }

    /// Trap: files are deleted, and the folders that were made for them stay for good, to be looked at by each list.
    @Test
    void aFileThatIsDeleted_takesTheFoldersWithIt_thatItLeavesEmpty() throws Exception {
        run("file_storage", "{'path':'a/b/c/f','content':'x'}");
        run("file_storage", "{'path':'a/g','content':'x'}");

        run("file_storage", "{'operation':'delete','path':'a/b/c/f'}");

        assertThat(folder.resolve("files/a")).isDirectoryContaining("glob:**/g");
        assertThat(folder.resolve("files/a/b")).doesNotExist();
        run("file_storage", "{'operation':'delete','path':'a/g'}");
        assertThat(folder.resolve("files")).isEmptyDirectory();
    }

    @Test
    void aSymbolicLinkToAFolder_staysWhenThatIsEmpty() throws Exception {
        run("file_storage", "{'path':'real/f','content':'x'}");
        var link = Files.createSymbolicLink(folder.resolve("files/link"), Path.of("real"));

        assertThat(run("file_storage", "{'operation':'delete','path':'link/f'}"))
                .isEqualTo(json("{'path':'link/f','deleted':true}"));

        assertThat(link).isSymbolicLink();
    }

    /// Trap: a folder is removed since it is empty, between the moments when a file makes it and when it is written there.
    @Test
    @Timeout(Await.HUNG)
    void filesOfOneFolder_areWrittenAndDeletedByTwoAtOnce() throws Exception {
        var store = new FileStore(folder.resolve("many"), MAX_BYTES);
        try (var threads = Executors.newFixedThreadPool(2)) {
            var all = new ArrayList<Future<?>>();
            for (var each = 0; each < 2; each++) {
                var name = "a/".repeat(16) + each;
                all.add(
                        threads.submit(() -> {
                            for (var round = 0; round < 200; round++) {
                                store.write(name, new byte[] {1}, true);
                                assertThat(store.delete(name)).isTrue();
                            }
                            return true;
                        }));
            }
            for (var one : all) {
                one.get();
            }
        }
        assertThat(folder.resolve("many")).isEmptyDirectory();
    }

    @Test
    void aListThatIsCutOff_hasMore() throws Exception {
        for (var name : List.of("c", "a", "b/x")) {
            run("file_storage", "{'path':'" + name + "','content':'x'}");
        }

        assertThat(run("file_storage", "{'operation':'list','limit':2}"))
                .isEqualTo(json("{'paths':['a','b/x'],'more':true}"));
        assertThat(run("file_storage", "{'operation':'list','limit':3}"))
                .isEqualTo(json("{'paths':['a','b/x','c'],'more':false}"));
    }

    /// Trap: a list of a file or two goes through all files of all clients.
    @Test
    void aList_looksOnlyBelowTheFolderOfItsPrefix_andAtNoMoreThanABound() throws Exception {
        var store = new FileStore(folder.resolve("many"), MAX_BYTES, 5, _ -> Long.MAX_VALUE);
        for (var each = 0; each < 10; each++) {
            store.write("large/" + each, new byte[] {1}, true);
        }
        store.write("small/sub/f", new byte[] {1}, true);
        store.write("smaller", new byte[] {1}, true);

        assertThat(store.list("small/", 10).names()).containsExactly("small/sub/f");
        assertThat(store.list("small/sub/f", 10).names()).containsExactly("small/sub/f");
        assertThat(store.list("nothing/", 10).names()).isEmpty();
        for (var prefix : List.of("", "small", "large/", "large/1")) {
            assertThatThrownBy(() -> store.list(prefix, 1))
                    .isInstanceOf(InvalidInput.class)
                    .hasMessage(
                            "there are more than 5 files and folders to look at; give a 'prefix' that names a folder with fewer, such as reports/2026/");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"../", "../elsewhere/", "/", "./", "a/../", "a//", "out/", "out/s"})
    void noPrefixLeadsOut(String prefix) throws Exception {
        var elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Files.writeString(elsewhere.resolve("secret"), "s");
        run("file_storage", "{'path':'a/b','content':'x'}");
        Files.createSymbolicLink(folder.resolve("files/out"), elsewhere);

        assertThat(run("file_storage", "{'operation':'list','prefix':'" + prefix + "'}"))
                .isEqualTo(json("{'paths':[],'more':false}"));
    }

    @Test
    void aFolderThatIsASymbolicLink_isListed() throws Exception {
        run("file_storage", "{'path':'a/b','content':'x'}");
        var link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("files"));

        assertThat(new FileStore(link, MAX_BYTES).list("a/", 10).names()).containsExactly("a/b");
    }

    /// Trap: the task of a list is cancelled, and its thread goes on through all folders.
    @Test
    void aListWhoseTaskIsOver_endsAtTheNextFile() throws Exception {
        run("file_storage", "{'path':'a','content':'x'}");
        var files = folder.resolve("files");
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> NameSearch.of(files, files, _ -> true, 10, 10))
                    .isInstanceOf(InterruptedIOException.class);
            // On a thread of its own, with those of queries: one that handles requests would be
            // kept from all others.
            assertThatThrownBy(() -> run("file_storage", "{'operation':'list'}"))
                    .isInstanceOf(CompletionException.class)
                    .hasMessage("the task was stopped");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    /// Trap: files of a client fill the disk, on which jobs are kept as well.
    @Test
    void aDiskThatIsAlmostFull_takesNoFile_untilThereIsRoom() throws Exception {
        var usable = new AtomicLong((256L << 20) + 2);
        var store = new FileStore(folder.resolve("full"), MAX_BYTES, 10, _ -> usable.get());

        store.write("a", new byte[2], true);
        assertThatThrownBy(() -> store.write("b/c", new byte[3], true))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(InvalidInput.class)
                .hasMessage(
                        "no room for the file 'b/c': the disk has 268,435,458 bytes left, and 268,435,456 of them are not for files; make room");

        assertThat(store.list("", 10).names()).containsExactly("a");
        assertThat(folder.resolve("full/b")).doesNotExist();
        usable.addAndGet(1);
        assertThat(store.write("b/c", new byte[3], true).bytes()).isEqualTo(3);
    }
}
