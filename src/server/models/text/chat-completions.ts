import type OpenAI from 'openai';
import * as z from 'zod/mini';
import { unreadableResponseError } from '#server/models/engine/upstream.ts';
import type { UpstreamHttp } from '#server/models/engine/upstream-http.ts';
import { type GenerateText, MAX_TEXT_RESPONSE_BYTES, type TextResponse } from './text-model.ts';

const chatCompletion = z.object({
  choices: z.array(
    z.object({
      message: z.object({ content: z.nullish(z.string()), refusal: z.nullish(z.string()) }),
      finish_reason: z.nullish(z.string()),
    }),
  ),
  // Read apart, so that a paid answer is not lost over an unknown form of its usage.
  usage: z.optional(z.unknown()),
});
const completionUsage = z.object({ prompt_tokens: z.number(), completion_tokens: z.number() });

type ChatRequest = OpenAI.Chat.ChatCompletionCreateParamsNonStreaming;

interface ChatOptions {
  /** `max_completion_tokens` at OpenAI, whose reasoning models reject `max_tokens`; other servers may know only that. */
  limit_field: 'max_completion_tokens' | 'max_tokens';
  /** Further parameters for a model. */
  parameters?: (model: string) => Pick<ChatRequest, 'store' | 'reasoning_effort'> & { thinking?: { type: 'disabled' } };
}

/** OpenAI’s Chat Completions, which most other providers and servers speak too. */
export const createChatCompletions =
  (http: UpstreamHttp, { limit_field, parameters }: ChatOptions): GenerateText =>
  async (model, { instructions, text, max_output_tokens, timeoutMs, signal }) => {
    const response = await http.requestJson('/chat/completions', {
      method: 'POST',
      json: {
        model,
        messages: [
          { role: 'system', content: instructions },
          { role: 'user', content: text },
        ],
        [limit_field]: max_output_tokens,
        ...parameters?.(model),
      } satisfies ChatRequest,
      signal,
      timeoutMs,
      maxResponseBytes: MAX_TEXT_RESPONSE_BYTES,
      is_not_accepted_on_500: true,
    });
    const { data, error } = chatCompletion.safeParse(response);
    const [choice] = data?.choices ?? [];
    if (!data || !choice) throw unreadableResponseError(error);
    const { message, finish_reason } = choice;
    const isRefused = Boolean(message.refusal) || finish_reason === 'content_filter';
    const usage = completionUsage.safeParse(data.usage).data;
    return {
      outcome: isRefused ? 'refused' : finish_reason === 'length' ? 'cut' : 'complete',
      text: withoutThoughts(message.content ?? ''),
      usage: usage ? { input_tokens: usage.prompt_tokens, output_tokens: usage.completion_tokens } : null,
    } satisfies TextResponse;
  };

/** Servers without a parser for a model's thoughts leave them before its answer. */
const withoutThoughts = (content: string): string => content.replace(/^\s*<think>.*?<\/think>/s, '');
