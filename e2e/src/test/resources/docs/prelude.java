// Around each block of Java in a document, see JavaSnippets: imports, and the names that blocks use without declaring them.
import dev.artel.blueprint.BlueprintDefinition;
import dev.artel.blueprint.GuardLimits;
import dev.artel.blueprint.StateHandler;
import dev.artel.client.*;
import dev.artel.json.*;
import dev.artel.kernel.approval.*;
import dev.artel.kernel.blueprint.*;
import dev.artel.kernel.branch.*;
import dev.artel.kernel.child.*;
import dev.artel.kernel.compensation.*;
import dev.artel.kernel.guard.*;
import dev.artel.kernel.job.*;
import dev.artel.kernel.placement.*;
import dev.artel.kernel.task.*;
import dev.artel.worker.*;
import java.net.URI;
import java.time.*;
import java.util.*;

abstract class Snippet {
    Step step;
    JsonObject params;
    List<JsonObject> pages;
    ArtelClient client;
    String token;
    byte[] body;
    Request request;

    interface Request {
        String header(String name);
    }

    record Order(int number, List<String> items) {}

    record Customer(String name, int debt) {
        boolean owes() {
            return debt > 0;
        }
    }

    abstract TaskSpec bill(Step step);

    abstract int months(Step step);

    abstract List<JsonObject> pagesOf(Step step);

    abstract String thumbnail(Object picture);

    // SNIPPET
}
