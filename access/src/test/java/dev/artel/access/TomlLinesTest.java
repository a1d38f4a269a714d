package dev.artel.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/// Trap: a line is counted wrongly behind what spans several, or what looks like a key within a string is taken for one.
final class TomlLinesTest {
    private final TomlLines lines =
            TomlLines.of(
                    """
                    # one = 1
                    first = "a" # [no.table]

                    ["team.a" . 'b']
                    text = \"""
                    [inner]
                    key = 1 \\\"""
                    \"""\"

                    after = '''
                    x = "
                    ''''
                    dotted."k=y".deep = 1
                    [acme]
                    tokens = [
                      {token = "a]", expires = "x"},
                      # {token = "c"},
                      {token_sha256 = 'b}',
                       expires = 2},
                    ]
                    numbers = [[1], [2,
                      3]]
                    [[many]]
                    a = 1
                    [[many]]
                    a = 2\
                    """);

    private void is(String path, int line) {
        assertThat(lines.lineOf(path)).as(path).isEqualTo(OptionalInt.of(line));
    }

    @Test
    void keysAndTables_haveTheLineWhereTheyBegin() {
        is("first", 2);
        is("team.a.b", 4);
        is("team.a.b.text", 5);
        is("team.a.b.after", 10);
        is("team.a.b.dotted.k=y.deep", 13);
        is("acme", 14);
        is("acme.tokens[0].expires", 16);
        is("acme.tokens[1]", 18);
        is("acme.tokens[1].token_sha256", 18);
        is("acme.tokens[1].expires", 19);
        is("acme.numbers[1][1]", 22);
        is("many[0].a", 24);
        is("many[1].a", 26);
    }

    @Test
    void whatIsNotThere_hasTheLineOfWhatItBelongsTo() {
        is("acme.role", 14);
        is("acme.tokens[1].token", 18);
        is("acme.tokens[7].token", 15);
        assertThat(lines.lineOf("inner")).isEmpty();
        assertThat(lines.lineOf("one")).isEmpty();
        assertThat(lines.lineOf("")).isEmpty();
    }

    /// Trap: a text that is no TOML after all keeps a thread forever.
    @Test
    void anyText_comesToAnEnd() {
        var text = "a = [ {b = \"\"\"x\ny\"\"\", c.'d' = 1}, 2 ]\n[t]\nx = 'y'\n[[u]]\nz = {}\n";
        for (var begin = 0; begin < text.length(); begin++) {
            for (var end = begin; end <= text.length(); end++) {
                assertThat(TomlLines.of(text.substring(begin, end))).isNotNull();
            }
        }
    }
}
