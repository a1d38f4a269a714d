package dev.artel.actions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.worker.InvalidInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonQueryActionTest extends ActionTestCase {
    private static final String DATA =
            "{'a':{'b':7,'n':null},'items':[{'name':'x','price':5},{'name':'y','price':50}]}";

    @ParameterizedTest
    @CsvSource(
            value = {
                "$.a.b|{'value':7,'found':true}",
                "$.a.n|{'value':null,'found':true}",
                "$.items[1].name|{'value':'y','found':true}",
                "$.items[?(@.price < 10)].name|{'value':['x'],'found':true}",
                "$.items[?(@.price > 99)]|{'value':[],'found':true}",
                "$.items.length()|{'value':2,'found':true}",
                "$.missing|{'value':'otherwise','found':false}",
            },
            delimiter = '|',
            quoteCharacter = '`')
    void aPath_findsItsPart(String query, String result) throws Exception {
        assertThat(
                        run(
                                "json_query",
                                "{'data':"
                                        + DATA
                                        + ",'query':'"
                                        + query
                                        + "','default':'otherwise'}"))
                .isEqualTo(json(result));
    }

    @Test
    void whatIsNotThere_isNull() throws Exception {
        assertThat(run("json_query", "{'data':{},'query':'$.x'}"))
                .isEqualTo(json("{'value':null,'found':false}"));
    }

    @Test
    void aSet_returnsItsParameters() throws Exception {
        assertThat(run("set", "{'a':1,'b':{'c':[true]}}"))
                .isEqualTo(json("{'a':1,'b':{'c':[true]}}"));
    }

    @Test
    void whatIsNoPath_isRefused() {
        assertThatThrownBy(() -> run("json_query", "{'data':{},'query':'$.['}"))
                .isInstanceOf(InvalidInput.class)
                .hasMessage(
                        "json_query: the parameter 'query' is no JSONPath such as $.items[?(@.price < 10)].name");
        assertThatThrownBy(() ->
                        run("json_query", "{'data':{},'query':'$.x[?(@.a =~ /(.*a){15}b/)]'}"))
                .isInstanceOf(InvalidInput.class)
                .hasMessageContaining("use matches()");
        assertThatThrownBy(() -> run("json_query", "{'data':{},'query':'$..*..*..*..*'}"))
                .isInstanceOf(InvalidInput.class)
                .hasMessageContaining("'..' more than 2 times");
        assertThatThrownBy(() -> run("json_query", "{'query':'$'}"))
                .isInstanceOf(InvalidInput.class)
                .hasMessage("json_query needs the parameter 'data'");
    }

    /// Trap: the library takes a number that is very small for 0, and one that is very large for no JSON.
    @ParameterizedTest
    @ValueSource(strings = {"1e-999999999", "1e999999999", "-1e400"})
    void aNumberThatTheLibraryCannotRead_isRefused(String number) {
        assertThatThrownBy(() -> run("json_query", "{'data':{'n':[" + number + "]},'query':'$.n'}"))
                .isInstanceOf(InvalidInput.class)
                .hasMessageContaining("too large or too small for a query");
    }

    /// Trap: a small value is found once in each of its parents, and fills the memory.
    @Test
    void aResultThatIsMuchLargerThanItsData_isRefused() {
        var deep = "[".repeat(90) + "1,".repeat(999) + "1" + "]".repeat(90);

        assertThatThrownBy(() -> run("json_query", "{'data':" + deep + ",'query':'$..*..*'}"))
                .isInstanceOf(InvalidInput.class)
                .hasMessageContaining("more than 200000 results");

        var wide = "[".repeat(90) + "1,".repeat(4_999) + "1" + "]".repeat(90);
        assertThatThrownBy(() -> run("json_query", "{'data':" + wide + ",'query':'$..*'}"))
                .isInstanceOf(InvalidInput.class)
                .hasMessageContaining("more than 200000 values");
    }

    /// Trap: what a query comes to is counted once it is there, and a hundred characters come to ten to the power of twelve results.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "$%1$s",
                "$%1$s.x",
                "$%1$s[?(@ > 5)]",
                "$[?(@%1$s)]",
                "$[?(@%1$s > 5)]",
                "$%1$s.length()"
            })
    void aQueryOfMoreResultsThanMemoryHas_isRefused(String query) {
        var tenEach = "[0,0,0,0,0,0,0,0,0,0]".repeat(12);
        var deep = "[".repeat(14) + "1" + "]".repeat(14);

        assertThatThrownBy(() ->
                        run(
                                "json_query",
                                "{'data':" + deep + ",'query':'" + query.formatted(tenEach) + "'}"))
                .isInstanceOf(InvalidInput.class)
                .hasMessageContaining("more than");
    }

    /// Trap: the path of each result has the names that lead to it, and the library keeps all of them.
    /// Trap: each operator is one step of the library, and compares all values of one list with all of another, or looks for one text at each place
    /// of another.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "$.x[?(@.a noneof @.b)].z",
                "$.x[?(@.b anyof @.a)].z",
                "$.x[?(@.a subsetof @.b)].z",
                "$.x[?($.lists contains @.a)].z",
                "$.x[?(@.a in $.lists)].z",
                "$.many[?($.x[0].a == $.x[0].a)]",
                "$.many[?($.x[0].a != $.same)]",
                "$.x[?(@.text contains @.part)].z",
                "$.many[?($.x[0].text == $.x[0].text)]",
            })
    void aQueryWhoseOperatorsCompareMuch_isRefused(String query) {
        var ones = "[" + "1,".repeat(30_000) + "1]";
        var twos = "[" + "2,".repeat(30_000) + "2]";
        var data =
                "{'x':[{'a':"
                        + ones
                        + ",'b':"
                        + twos
                        + ",'text':'"
                        + "a".repeat(200_000)
                        + "','part':'"
                        + "a".repeat(50_000)
                        + "b'}],'same':"
                        + ones
                        + ",'lists':["
                        + (ones + ",").repeat(8)
                        + ones
                        + "],'many':["
                        + "0,".repeat(30_000)
                        + "0]}";
        assertThatThrownBy(
                        () -> run("json_query", "{'data':" + data + ",'query':\"" + query + "\"}"))
                .isInstanceOf(InvalidInput.class)
                .hasMessageContaining("takes more than");
    }

    @Test
    void aQueryThatComparesTheTagsOfManyItems_findsThem() throws Exception {
        var items = "{'tags':['a','b','c','d','e'],'name':'x'},".repeat(10_000);
        var data =
                "{'allowed':['e','f','g'],'part':'las','items':["
                        + items
                        + "{'tags':['f'],'name':'last'}]}";

        var found =
                run(
                        "json_query",
                        "{'data':"
                                + data
                                + ",'query':'$.items[?(@.tags anyof $.allowed && @.name contains $.part)].name'}");

        assertThat(found).isEqualTo(json("{'value':['last'],'found':true}"));
    }

    /// Trap: one text of a megabyte is in the result a hundred times, and no bound of values counts that.
    @Test
    void aResultWithTheSameTextManyTimes_isRefused() {
        var data = "{'a':[{'s':'" + "x".repeat(900_000) + "'}]}";
        var query = "$.a[" + "0,".repeat(99) + "0]";

        assertThatThrownBy(() -> run("json_query", "{'data':" + data + ",'query':'" + query + "'}"))
                .isInstanceOf(InvalidInput.class)
                .hasMessage(
                        "json_query: the result has more than 8388608 characters; ask for less");
    }

    @Test
    void aQueryWhosePathsAreLarge_isRefused() {
        var data = "{'" + "n".repeat(100_000) + "':[" + "1,".repeat(9_999) + "1]}";

        assertThatThrownBy(() -> run("json_query", "{'data':" + data + ",'query':'$.*[*]'}"))
                .isInstanceOf(InvalidInput.class)
                .hasMessageContaining("paths to them of more than");
    }
}
