import * as z from 'zod/mini';
import type { FakeUpstream } from '#server/models/engine/testing/fake-upstream-server.ts';

const text = () => z.string().check(z.minLength(1));
const message = z.strictObject({ role: z.enum(['system', 'developer', 'user', 'assistant']), content: text() });
const tokens = () => z.optional(z.int().check(z.gte(1), z.lte(128_000)));

/** Parameters of Chat Completions that this project sends: `openai` 7.57.0. Unknown ones are rejected. */
const chatRequest = z.strictObject({
  model: text(),
  messages: z.array(message).check(z.minLength(1)),
  max_completion_tokens: tokens(),
  max_tokens: tokens(),
  store: z.optional(z.boolean()),
  reasoning_effort: z.optional(z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])),
  thinking: z.optional(z.strictObject({ type: z.enum(['enabled', 'disabled']) })),
});

const countTokens = (words: string): number => Math.ceil(words.length / 4);

/** Responds to a request as OpenAI does: the status and the body. */
export function completeChat(upstream: FakeUpstream, body: unknown): [status: number, body: unknown] {
  const { data, error } = chatRequest.safeParse(body);
  if (!data) return problem(400, 'invalid_value', `Invalid value for '${error.issues[0]?.path.join('.')}'.`);
  const { model, messages, max_completion_tokens, max_tokens, reasoning_effort } = data;
  if (model.startsWith('no-')) return problem(404, 'model_not_found', `The model '${model}' does not exist.`);
  if (model.startsWith('gpt-') && max_tokens !== undefined)
    return problem(
      400,
      'unsupported_parameter',
      "Unsupported parameter: 'max_tokens' is not supported with this model.",
    );
  if (reasoning_effort !== undefined && !/^gpt-(5|6)/.test(model))
    return problem(400, 'unsupported_parameter', "Unsupported parameter: 'reasoning_effort'.");
  const prompt = messages.at(-1)?.content ?? '';
  const answer = upstream.answer ?? `${prompt}, in the golden light of a low sun, shallow depth of field`;
  const limit = max_completion_tokens ?? max_tokens ?? 128_000;
  const isCut = countTokens(answer) > limit;
  const content = isCut ? answer.slice(0, limit * 4) : answer;
  const refusal = 'I’m sorry, but I can’t help with that.';
  const reply = upstream.refuses_content ? { content: null, refusal } : { content, refusal: null };
  const prompt_tokens = messages.reduce((sum, sent) => sum + countTokens(sent.content), 0);
  const completion_tokens = countTokens(upstream.refuses_content ? refusal : content);
  const usage = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
  const choice = { index: 0, message: { role: 'assistant', ...reply }, finish_reason: isCut ? 'length' : 'stop' };
  return [
    200,
    { id: 'chatcmpl-1', object: 'chat.completion', created: 1_760_000_000, model, choices: [choice], usage },
  ];
}

const problem = (status: number, code: string, textMessage: string): [number, unknown] => [
  status,
  { error: { message: textMessage, type: 'invalid_request_error', param: null, code } },
];
