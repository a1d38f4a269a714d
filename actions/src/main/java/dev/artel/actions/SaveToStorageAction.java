package dev.artel.actions;

import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import java.io.IOException;

/// `save_to_storage`: writes a value as JSON into the file `KEY.json`, in the folder of `storage` if that is named.
final class SaveToStorageAction implements BuiltInAction {
    private final FileStore files;

    SaveToStorageAction(FileStore files) {
        this.files = files;
    }

    @Override
    public JsonObject run(JsonObject input, ReadRoom.Reading reading) throws IOException {
        var params = new ActionParams("save_to_storage", input).knowing("key", "value", "storage");
        var key = params.requiredText("key");
        var folder = params.text("storage").map(storage -> storage + "/").orElse("");
        var file =
                files.write(folder + key + ".json", JsonText.write(params.required("value")), true);
        return JsonObject.builder().put("key", key).putAll(FileStorageAction.json(file)).build();
    }
}
