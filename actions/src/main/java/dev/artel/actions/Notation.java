package dev.artel.actions;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A notation in which characters may be written in another way than as they are. Each reads all ways to write a character that it
/// knows, and takes what it does not know as it is.
enum Notation {
    /// References by number, and by the names of ASCII and Latin-1.
    HTML('&') {
        @Override
        int read(String text, int at, StringBuilder into) {
            var end = at + 1;
            if (isAt(text, end, '#')) {
                var isHex = isAt(text, end + 1, 'x') || isAt(text, end + 1, 'X');
                var digits = end + (isHex ? 2 : 1);
                var number = number(text, digits, isHex ? 16 : 10);
                if (number.length() == 0 || !Character.isValidCodePoint(number.value())) {
                    return 0;
                }
                into.appendCodePoint(number.value());
                end = digits + number.length();
                return end + (isAt(text, end, ';') ? 1 : 0) - at;
            }
            while (end < text.length()
                    && end - at <= LONGEST_NAME
                    && isNamePart(text.charAt(end))) {
                end++;
            }
            var named = NAMES.get(text.substring(at + 1, end));
            if (named != null && isAt(text, end, ';')) {
                into.append(named.charValue());
                return end + 1 - at;
            }
            for (var name : WITHOUT_SEMICOLON) {
                if (text.startsWith(name, at + 1)) {
                    into.append(NAMES.get(name));
                    return 1 + name.length();
                }
            }
            return 0;
        }
    },

    /// Also what JavaScript and Python add to it.
    JSON('\\') {
        @Override
        int read(String text, int at, StringBuilder into) {
            if (at + 1 == text.length()) {
                return 0;
            }
            var kind = text.charAt(at + 1);
            var known = "\"\\/'bfnrt".indexOf(kind);
            if (known >= 0) {
                into.append("\"\\/'\b\f\n\r\t".charAt(known));
                return 2;
            }
            var digits = kind == 'u' ? 4 : kind == 'x' ? 2 : 0;
            var unit = digits == 0 ? -1 : hex(text, at + 2, digits);
            if (unit < 0) {
                return 0;
            }
            into.append((char) unit);
            return 2 + digits;
        }
    },

    /// Percent-encoding of UTF-8. A `+` stays one: [SecretFinder] takes it for a blank, too.
    URL('%') {
        @Override
        int read(String text, int at, StringBuilder into) {
            var first = hex(text, at + 1, 2);
            if (first < 0) {
                var unit = isAt(text, at + 1, 'u') ? hex(text, at + 2, 4) : -1;
                if (unit < 0) {
                    return 0;
                }
                into.append((char) unit);
                return 6;
            }
            var bytes = new byte[first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1];
            for (var i = 0; i < bytes.length; i++) {
                var each = isAt(text, at + 3 * i, '%') ? hex(text, at + 3 * i + 1, 2) : -1;
                if (each < 0 || (i > 0 && (each & 0xc0) != 0x80)) {
                    into.append((char) first);
                    return 3;
                }
                bytes[i] = (byte) each;
            }
            into.append(
                    bytes.length == 1 ? String.valueOf((char) first) : new String(bytes, UTF_8));
            return 3 * bytes.length;
        }
    };

    private static final int LONGEST_NAME = 12;
    private static final int MOST_DIGITS = 8;
    private static final List<String> WITHOUT_SEMICOLON = List.of("amp", "lt", "gt", "quot");

    /// The named references that writers of HTML use for what is in ASCII or Latin-1.
    private static final Map<String, Character> NAMES = names();

    private final char mark;

    Notation(char mark) {
        this.mark = mark;
    }

    /// Reads what is written at a mark.
    ///
    /// @return how many characters of `text` say what was added to `into`; 0 if the mark is only itself
    abstract int read(String text, int at, StringBuilder into);

    /// `written` as a reader of this notation sees it; the same if there is nothing to be read.
    final ReadText read(ReadText written) {
        var text = written.text();
        if (text.indexOf(mark) < 0) {
            return written;
        }
        var read = new StringBuilder(text.length());
        var begins = new int[text.length()];
        var ends = new int[text.length()];
        var isOther = false;
        for (var at = 0; at < text.length(); ) {
            var before = read.length();
            var length = text.charAt(at) == mark ? read(text, at, read) : 0;
            if (length == 0) {
                read.append(text.charAt(at));
                length = 1;
            } else {
                isOther = true;
            }
            for (var i = before; i < read.length(); i++) {
                begins[i] = written.begin(at);
                ends[i] = written.end(at + length - 1);
            }
            at += length;
        }
        return isOther ? new ReadText(read.toString(), begins, ends) : written;
    }

    /// A number of at most [#MOST_DIGITS] digits.
    private record Digits(int value, int length) {}

    private static Digits number(String text, int at, int radix) {
        var value = 0L;
        var end = at;
        while (end < text.length() && end - at < MOST_DIGITS) {
            var digit = Character.digit(text.charAt(end), radix);
            if (digit < 0) {
                break;
            }
            value = value * radix + digit;
            end++;
        }
        return new Digits((int) Math.min(value, Integer.MAX_VALUE), end - at);
    }

    /// @return -1 if there are no so many hexadecimal digits
    private static int hex(String text, int at, int digits) {
        if (at + digits > text.length()) {
            return -1;
        }
        var value = 0;
        for (var i = at; i < at + digits; i++) {
            var digit = Character.digit(text.charAt(i), 16);
            if (digit < 0) {
                return -1;
            }
            value = value * 16 + digit;
        }
        return value;
    }

    private static boolean isAt(String text, int at, char wanted) {
        return at < text.length() && text.charAt(at) == wanted;
    }

    private static boolean isNamePart(char each) {
        return each < 0x80 && Character.isLetterOrDigit(each);
    }

    private static Map<String, Character> names() {
        var names = new HashMap<String, Character>();
        var ascii =
                "Tab \t NewLine \n excl ! quot \" num # dollar $ percnt % amp & apos ' lpar ( rpar ) ast * plus + comma ,"
                        + " period . sol / colon : semi ; lt < equals = gt > quest ? commat @ lsqb [ lbrack [ bsol \\ rsqb ]"
                        + " rbrack ] Hat ^ lowbar _ grave ` lcub { lbrace { verbar | vert | rcub } rbrace } AMP & LT < GT >"
                        + " QUOT \" euro €";
        var words = List.of(ascii.split(" ", -1));
        for (var i = 0; i < words.size(); i += 2) {
            names.put(words.get(i), words.get(i + 1).charAt(0));
        }
        var latin =
                "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute"
                        + " micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml"
                        + " Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc"
                        + " Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml"
                        + " aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc"
                        + " otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";
        var next = '\u00a0';
        for (var name : latin.split(" ", -1)) {
            names.put(name, next++);
        }
        return Map.copyOf(names);
    }
}
