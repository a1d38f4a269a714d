package dev.artel.json.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonString;
import org.junit.jupiter.api.Test;

final class PrintableTest {
    private static final String HOSTILE =
            "a\u001b]0;title\u0007b\u009b2Jc\u202etxt.exe\u2066d\u200fe\r\u007f";

    @Test
    void whatATerminalWouldObey_isReplaced_andLinesStay() {
        assertThat(Printable.text("one\ntwo ünï 🎉")).isEqualTo("one\ntwo ünï 🎉");
        assertThat(Printable.text(HOSTILE).codePoints())
                .noneMatch(Character::isISOControl)
                .noneMatch(point -> Character.getType(point) == Character.FORMAT);
    }

    /// Trap: the second line of a text looks like one of the program that shows it.
    @Test
    void aTextOfSeveralLines_beginsNoLineOfItsOwn_whereOneIsMeant() {
        assertThat(Printable.line("x\nartel: paid\u001b")).isEqualTo("x artel: paid\ufffd");
        assertThat(Printable.behind("artel: ", "x\nartel: paid\u001b"))
                .isEqualTo("artel: x\n       artel: paid\ufffd");
    }

    @Test
    void json_staysTheSameValue() {
        var json = JsonText.pretty(new JsonString(HOSTILE));

        assertThat(JsonText.read(Printable.json(json))).isEqualTo(new JsonString(HOSTILE));
        assertThat(Printable.json(json).codePoints())
                .noneMatch(point -> point != '\n' && Character.isISOControl(point))
                .noneMatch(point -> Character.getType(point) == Character.FORMAT);
    }
}
