package dev.artel.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Names and payloads of users never become markup or code: no source has the means for it.
final class HostileTextTest {
    private static final List<Pattern> MEANS =
            List.of(
                    Pattern.compile("innerHTML|outerHTML|insertAdjacentHTML|dangerouslySet"),
                    Pattern.compile("document\\.write|createContextualFragment|DOMParser|srcdoc"),
                    Pattern.compile("\\beval\\s*\\(|new Function\\b|javascript:"),
                    Pattern.compile("setTimeout\\(\\s*[\"'`]|setInterval\\(\\s*[\"'`]"));

    private static final Pattern INLINE =
            Pattern.compile("<script(?![^>]*\\bsrc=)|\\son\\w+=|<style|\\sstyle=");

    @Test
    void noSourceTurnsTextIntoMarkupOrCode() throws IOException {
        for (var name : DashboardSources.ending(".js")) {
            if (name.startsWith("js/")) {
                var source = DashboardSources.text(name);
                MEANS.forEach(means -> assertThat(source).as(name).doesNotContainPattern(means));
            }
        }
    }

    @Test
    void thePage_hasNoInlineScriptAndNoInlineStyle() throws IOException {
        assertThat(DashboardSources.text("index.html")).doesNotContainPattern(INLINE);
    }

    /// Trap: a library or a font comes from elsewhere, and the page is empty where there is no way out.
    @Test
    void nothingIsLoadedFromElsewhere() throws IOException {
        for (var name : DashboardSources.ending(".js", ".css", ".html")) {
            if (!name.startsWith("lib/")) {
                assertThat(DashboardSources.text(name))
                        .as(name)
                        .doesNotContainPattern(
                                "(?:src|href|import|from|url)\\s*[=(]?\\s*[\"']?https?:");
            }
        }
    }
}
