// OpenAI's own client for Node, unmodified but for its address; prints one line of JSON.
import OpenAI, { AuthenticationError, NotFoundError } from "openai";

const [baseURL, apiKey] = process.argv.slice(2);
const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
const messages = [{ role: "user", content: "Hello" }];
const ask = { model: "small", messages };

const whole = await client.chat.completions.create(ask);
const stream = await client.chat.completions.create({
  ...ask,
  stream: true,
  stream_options: { include_usage: true },
});
let streamed = "";
let usage = null;
for await (const chunk of stream) {
  streamed += chunk.choices[0]?.delta?.content ?? "";
  usage = chunk.usage ?? usage;
}
const models = [];
for await (const model of client.models.list()) models.push(model.id);
const vectors = await client.embeddings.create({
  model: "small",
  input: "a",
  encoding_format: "float",
});
const refused = {};
try {
  await client.models.retrieve("huge");
} catch (error) {
  refused.missing = error instanceof NotFoundError;
}
try {
  await new OpenAI({ baseURL, apiKey: "mw_guessed", maxRetries: 0 }).models.list();
} catch (error) {
  refused.stranger = error instanceof AuthenticationError;
}
const said = whole.choices[0].message.content;
console.log(
  JSON.stringify({ said, streamed, tokens: usage.total_tokens, models, vector: vectors.data[0].embedding, refused }),
);
