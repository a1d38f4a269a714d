package dev.artel.card.template;

import dev.artel.kernel.placement.SecretUse;
import java.util.ArrayList;
import java.util.List;

/// Finds where the value of a template has references to secrets. What it has from variables counts for nothing, whatever it looks
/// like.
final class SecretPlaces {
    private final TemplateScope scope;
    private final List<SecretUse> found = new ArrayList<>();

    private SecretPlaces(TemplateScope scope) {
        this.scope = scope;
    }

    static List<SecretUse> of(Template template, TemplateScope scope) {
        var any = new ArrayList<String>();
        template.forEachSecret(any::add);
        if (any.isEmpty()) {
            return List.of();
        }
        var places = new SecretPlaces(scope);
        places.find(template, "");
        return List.copyOf(places.found);
    }

    private void find(Template template, String at) {
        switch (template) {
            case Template.Constant _, Template.Reference _ -> {
                // the author has named no secret there
            }
            case Template.SecretName(var name) -> found.add(new SecretUse(at, 0, name));
            case Template.Text(var parts) -> {
                var from = 0;
                for (var part : parts) {
                    if (part instanceof Template.SecretName(var name)) {
                        found.add(new SecretUse(at, from, name));
                    }
                    var written = new BoundedText(Expansion.MOST_CHARACTERS);
                    written.append(Template.Text.part(part, scope, new Expansion()));
                    from += written.length();
                }
            }
            case Template.Items(var items) -> {
                for (var i = 0; i < items.size(); i++) {
                    find(items.get(i), at + "/" + i);
                }
            }
            case Template.Members(var members) ->
                    members.forEach((name, member) ->
                            find(member, at + "/" + name.replace("~", "~0").replace("/", "~1")));
        }
    }
}
