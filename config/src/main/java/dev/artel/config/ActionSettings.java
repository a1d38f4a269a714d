package dev.artel.config;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/// What the orchestrator does itself, without a worker of its users: requests over HTTP, files, values, a language model.
///
/// @param enabled whether it does tasks at all
/// @param shared whether workers that offer the types of these tasks get some of them, with the secrets that may be in their parameters
/// @param hosts what `http_request` may reach
/// @param slots how many tasks at a time
/// @param folder where `file_storage` keeps files; empty: `files` in the data folder
/// @param maxBytes the most bytes of an answer, and of a file
/// @param model what `llm_generate` asks; empty: nothing
/// @param secrets the file of the secrets that cards name; empty: `secrets.toml` in the data folder
public record ActionSettings(
        boolean enabled,
        boolean shared,
        ActionHosts hosts,
        int slots,
        Optional<Path> folder,
        int maxBytes,
        Optional<ModelSettings> model,
        Optional<Path> secrets) {
    /// It does nothing itself; if it is enabled, no host may be reached, and there is no model.
    public static final ActionSettings DEFAULTS =
            new ActionSettings(
                    false,
                    false,
                    ActionHosts.NONE,
                    64,
                    Optional.empty(),
                    1 << 20,
                    Optional.empty(),
                    Optional.empty());

    /// A language model behind the API of OpenAI, which many servers speak.
    ///
    /// @param uri where the API begins, such as `http://localhost:11434/v1`; empty while it is unknown
    /// @param name of the model that is asked if a task names none; empty for none
    /// @param key what is sent as a bearer token; empty: none
    public record ModelSettings(URI uri, String name, Optional<Secret> key) {
        /// Whether it is known where the model is.
        public boolean hasUri() {
            return uri.getHost() != null;
        }
    }

    /// These settings, enabled or not.
    public ActionSettings withEnabled(boolean yes) {
        return new ActionSettings(yes, shared, hosts, slots, folder, maxBytes, model, secrets);
    }

    /// These settings, with workers that share the tasks or without.
    public ActionSettings withShared(boolean yes) {
        return new ActionSettings(enabled, yes, hosts, slots, folder, maxBytes, model, secrets);
    }

    /// These settings with other hosts.
    public ActionSettings withHosts(ActionHosts other) {
        return new ActionSettings(enabled, shared, other, slots, folder, maxBytes, model, secrets);
    }

    /// These settings for so many tasks at a time.
    public ActionSettings withSlots(int most) {
        return new ActionSettings(enabled, shared, hosts, most, folder, maxBytes, model, secrets);
    }

    /// These settings with another folder.
    public ActionSettings withFolder(Path other) {
        return new ActionSettings(
                enabled, shared, hosts, slots, Optional.of(other), maxBytes, model, secrets);
    }

    /// These settings with another limit.
    public ActionSettings withMaxBytes(int most) {
        return new ActionSettings(enabled, shared, hosts, slots, folder, most, model, secrets);
    }

    /// These settings with a model at `uri`.
    public ActionSettings withModelUri(URI uri) {
        var before = model.orElse(new ModelSettings(uri, "", Optional.empty()));
        return withModel(new ModelSettings(uri, before.name(), before.key()));
    }

    /// These settings with a model of this name.
    public ActionSettings withModelName(String name) {
        var before = model.orElse(new ModelSettings(URI.create(""), name, Optional.empty()));
        return withModel(new ModelSettings(before.uri(), name, before.key()));
    }

    /// These settings with a key for the model.
    public ActionSettings withModelKey(Secret key) {
        var before = model.orElse(new ModelSettings(URI.create(""), "", Optional.of(key)));
        return withModel(new ModelSettings(before.uri(), before.name(), Optional.of(key)));
    }

    private ActionSettings withModel(ModelSettings other) {
        return new ActionSettings(
                enabled, shared, hosts, slots, folder, maxBytes, Optional.of(other), secrets);
    }

    /// These settings with another file of secrets.
    public ActionSettings withSecrets(Path file) {
        return new ActionSettings(
                enabled, shared, hosts, slots, folder, maxBytes, model, Optional.of(file));
    }

    /// Where files are kept.
    ///
    /// @param data the data folder
    public Path folderIn(Path data) {
        return folder.orElseGet(() -> data.resolve("files"));
    }
}
