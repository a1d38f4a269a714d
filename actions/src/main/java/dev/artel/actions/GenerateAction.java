package dev.artel.actions;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.config.ActionSettings.ModelSettings;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.ForeignJson;
import dev.artel.json.text.MalformedJson;
import dev.artel.worker.InvalidInput;
import dev.artel.worker.PermanentFailure;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.exception.NonRetriableException;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ResponseFormat;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiChatRequestParameters;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// `llm_generate`: asks a language model once. What is to be tried again is for the retry policy of the step.
final class GenerateAction implements BuiltInAction {
    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final int MOST_MESSAGES = 1_000;

    private final Optional<ModelSettings> settings;
    private final int maxBytes;
    private @Nullable HttpClient client;

    /// @param maxBytes the most bytes of an answer
    GenerateAction(Optional<ModelSettings> settings, int maxBytes) {
        this.settings = settings.filter(ModelSettings::hasUri);
        this.maxBytes = maxBytes;
    }

    @Override
    public JsonObject run(JsonObject input, ReadRoom.Reading reading) {
        var params =
                new ActionParams("llm_generate", input)
                        .knowing(
                                "prompt",
                                "messages",
                                "system",
                                "model",
                                "temperature",
                                "max_tokens",
                                "json",
                                "context");
        var messages = messages(params);
        var asked =
                settings.orElseThrow(() ->
                        new PermanentFailure(
                                "llm_generate: there is no language model; an operator names one with actions.llm-url, actions.llm-model and actions.llm-key"));
        var asJson = params.flag("json", false);
        ChatResponse response;
        try {
            response = model(asked, reading).chat(request(params, asked, messages, asJson));
        } catch (NonRetriableException refused) {
            throw new PermanentFailure(
                    "llm_generate: the model at "
                            + asked.uri()
                            + " refuses: "
                            + refused.getMessage(),
                    refused);
        }
        return result(response, asJson, reading);
    }

    private OpenAiChatModel model(ModelSettings settings, ReadRoom.Reading reading) {
        return OpenAiChatModel.builder()
                .httpClientBuilder(
                        new ModelRequests(client(), maxBytes, LONGEST, reading).builder())
                .baseUrl(settings.uri().toString())
                .apiKey(settings.key().map(key -> key.value()).orElse("none"))
                .maxRetries(0)
                .timeout(LONGEST)
                .build();
    }

    /// Made at the first use, since it takes a while to load, and kept with its connections.
    private synchronized HttpClient client() {
        var made = client;
        if (made == null) {
            made =
                    HttpClient.newBuilder()
                            .version(HttpClient.Version.HTTP_1_1)
                            .connectTimeout(Duration.ofSeconds(10))
                            .build();
            client = made;
        }
        return made;
    }

    private static ChatRequest request(
            ActionParams params, ModelSettings model, List<ChatMessage> messages, boolean asJson) {
        var parameters = OpenAiChatRequestParameters.builder().modelName(name(params, model));
        if (params.value("temperature").isPresent()) {
            parameters.temperature(params.number("temperature", 0, 2, 1));
        }
        if (params.value("max_tokens").isPresent()) {
            parameters.maxOutputTokens((int) params.number("max_tokens", 1, 1_000_000, 1));
        }
        if (asJson) {
            parameters.responseFormat(ResponseFormat.JSON);
        }
        return ChatRequest.builder().messages(messages).parameters(parameters.build()).build();
    }

    private static String name(ActionParams params, ModelSettings model) {
        return params.text("model")
                .or(() -> Optional.of(model.name()).filter(name -> !name.isEmpty()))
                .orElseThrow(() ->
                        new InvalidInput(
                                "llm_generate needs the parameter 'model', since the setting actions.llm-model names none"));
    }

    private static List<ChatMessage> messages(ActionParams params) {
        var messages = new ArrayList<ChatMessage>();
        params.text("system").ifPresent(text -> messages.add(SystemMessage.from(text)));
        params.value("messages")
                .ifPresent(value -> {
                    if (!(value instanceof JsonArray(var values))
                            || values.size() > MOST_MESSAGES) {
                        throw params.wrong(
                                "messages",
                                "a list of {role, content}, at most " + MOST_MESSAGES,
                                value);
                    }
                    values.forEach(each -> messages.add(message(params, each)));
                });
        params.text("prompt").ifPresent(text -> messages.add(UserMessage.from(text)));
        feedback(params).ifPresent(text -> messages.add(UserMessage.from(text)));
        if (messages.stream().noneMatch(UserMessage.class::isInstance)) {
            throw new InvalidInput(
                    "llm_generate needs the parameter 'prompt', or 'messages' with one of the user");
        }
        return messages;
    }

    /// What a quality check found in the answer before.
    private static Optional<String> feedback(ActionParams params) {
        return params.object("context")
                .get("feedback")
                .map(feedback ->
                        feedback instanceof JsonString(var text) ? text : feedback.toString())
                .map(text -> "Your last answer was not good enough: " + text);
    }

    private static ChatMessage message(ActionParams params, JsonValue value) {
        if (value instanceof JsonObject object && object.string("content").isPresent()) {
            var content = object.string("content").get();
            switch (object.string("role").orElse("")) {
                case "system" -> {
                    return SystemMessage.from(content);
                }
                case "user" -> {
                    return UserMessage.from(content);
                }
                case "assistant" -> {
                    return AiMessage.from(content);
                }
                default -> {
                    // refused below
                }
            }
        }
        throw params.wrong(
                "messages",
                "a list of {role, content} with the roles system, user and assistant",
                value);
    }

    private static JsonObject result(
            ChatResponse response, boolean asJson, ReadRoom.Reading reading) {
        var text = Optional.ofNullable(response.aiMessage().text()).orElse("");
        var result =
                JsonObject.builder()
                        .put("text", text)
                        .put("model", String.valueOf(response.metadata().modelName()));
        if (response.finishReason() != null) {
            result.put(
                    "finish_reason",
                    response.finishReason().name().toLowerCase(java.util.Locale.ROOT));
        }
        if (asJson) {
            result.put("json", json(text, reading));
        }
        var usage = response.tokenUsage();
        var metrics = JsonObject.builder().put("llm_calls", 1);
        if (usage != null && usage.totalTokenCount() != null) {
            metrics.put("tokens_used", (long) usage.totalTokenCount());
        }
        return result.put("metrics", metrics.build()).build();
    }

    private static JsonValue json(String text, ReadRoom.Reading reading) {
        var bytes = text.getBytes(UTF_8);
        reading.await(bytes);
        try {
            return ForeignJson.read(bytes);
        } catch (MalformedJson malformed) {
            throw new IllegalStateException(
                    "llm_generate: the model was asked for JSON and answered with something else: "
                            + malformed.getMessage(),
                    malformed);
        }
    }
}
