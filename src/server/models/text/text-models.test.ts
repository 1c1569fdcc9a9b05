import { describe, expect, it } from 'vitest';
import { geminiPreset } from '#server/models/providers/gemini/gemini-preset.ts';
import { modelArkPreset } from '#server/models/providers/modelark/modelark-preset.ts';
import { openAiCompatiblePreset } from '#server/models/providers/openai/openai-compatible.ts';
import { openAiPreset } from '#server/models/providers/openai/openai-preset.ts';
import type { ProviderPreset } from '#server/models/providers/preset.ts';
import {
  createFakeGeminiHandler,
  createFakeGeminiOptions,
  type FakeGeminiRequest,
} from '#server/models/providers/gemini/testing/fake-gemini-server.ts';
import {
  createFakeOpenAiHandler,
  type FakeOpenAiRequest,
} from '#server/models/providers/openai/testing/fake-openai-server.ts';
import {
  type FakeUpstreamServer,
  neverRespond,
  respondWith,
} from '#server/models/engine/testing/fake-upstream-server.ts';
import { usePresetServer } from '#server/models/engine/testing/preset-server-fixture.ts';
import type { PresetConnection } from '#server/models/providers/preset-connection.ts';
import { computeMaxTextCost, computeTextCost } from './text-cost.ts';
import type { TextRequest } from './text-model.ts';

const KEY = 'sk-text-0123456789';
const REQUEST = {
  instructions: 'Improve the prompt.',
  text: 'A teapot',
  max_output_tokens: 500,
  timeoutMs: 240_000,
  signal: new AbortController().signal,
} satisfies TextRequest;

const chats: FakeOpenAiRequest[] = [];
const contents: FakeGeminiRequest[] = [];
const geminiOptions = createFakeGeminiOptions();
const chat = usePresetServer(
  KEY,
  (upstream) => createFakeOpenAiHandler(upstream, chats),
  (upstream) => (upstream.answer = null),
);
const gemini = usePresetServer(KEY, (upstream) => createFakeGeminiHandler(upstream, contents, geminiOptions));

interface Bench {
  connect(key?: string): PresetConnection;
  readonly server: FakeUpstreamServer;
}
const generate = (
  { text }: ProviderPreset,
  bench: Bench,
  { model, key, ...changes }: Partial<TextRequest> & { model: string; key?: string },
) => {
  if (!text) throw new Error('The preset has no text models.');
  return text.createGenerate(bench.connect(key))(model, { ...REQUEST, ...changes });
};

const PROVIDERS: [string, ProviderPreset, Bench, string][] = [
  ['OpenAI', openAiPreset, chat, 'gpt-6-luna'],
  ['ModelArk', modelArkPreset, chat, 'seed-2-0-mini-260215'],
  ['a compatible server', openAiCompatiblePreset, chat, 'qwen3:8b'],
  ['Gemini', geminiPreset, gemini, 'gemini-3.5-flash-lite'],
];

describe.each(PROVIDERS)('the text model of %s', (_name, preset, bench, model) => {
  it('answers, and reports its tokens', async () => {
    const response = await generate(preset, bench, { model });
    expect(response).toMatchObject({ outcome: 'complete', text: expect.stringMatching(/^A teapot.{5,}/) });
    expect(response.text).not.toContain('What would help?');
    expect(response.usage?.input_tokens).toBeGreaterThan(1);
    expect(response.usage?.output_tokens).toBeGreaterThan(1);
  });

  it('refuses, with what the refusal costs', async () => {
    bench.server.upstream.refuses_content = true;
    const response = await generate(preset, bench, { model });
    expect(response.outcome).toBe('refused');
    expect(response.usage?.input_tokens).toBeGreaterThan(1);
  });

  it('says that a key is wrong without repeating it', async () => {
    const error = await generate(preset, bench, { model, key: 'sk-wrong-0123456789' }).catch(
      (caught: unknown) => caught,
    );
    expect(error).toMatchObject({ name: 'EngineError', code: 'model_unavailable' });
    expect(JSON.stringify([String(error), String((error as Error).cause)])).not.toContain('sk-wrong-0123456789');
  });

  it('is busy, late, silent, unreadable or too talkative', async () => {
    const fail = (timeoutMs = 240_000) =>
      generate(preset, bench, { model, timeoutMs }).catch(({ name }: Error) => name);
    bench.server.injectFault(respondWith(429, '{}'));
    expect(await fail()).toBe('UpstreamBusyError');
    bench.server.injectFault(respondWith(500, '{}'));
    expect(await fail()).toBe('UpstreamBusyError');
    bench.server.injectFault(neverRespond(() => undefined));
    expect(await fail(300)).toBe('ResponseLostError');
    bench.server.injectFault(respondWith(200, 'Good day'));
    expect(await fail()).toBe('ResponseLostError');
    bench.server.injectFault(respondWith(200, '[]'));
    expect(await fail()).toBe('ResponseLostError');
    bench.server.injectFault(respondWith(200, JSON.stringify({ text: 'x'.repeat(1_100_000) })));
    expect(await fail()).toBe('EngineError');
  });
});

it('asks each server in its own form of Chat Completions', async () => {
  chats.length = 0;
  for (const [, preset, bench, model] of PROVIDERS.slice(0, 3)) await generate(preset, bench, { model });
  await generate(openAiPreset, chat, { model: 'gpt-4.1-mini' });
  const messages = [
    { role: 'system', content: REQUEST.instructions },
    { role: 'user', content: REQUEST.text },
  ];
  expect(chats.map(({ fields }) => fields)).toEqual([
    { model: 'gpt-6-luna', messages, max_completion_tokens: 500, store: false, reasoning_effort: 'none' },
    { model: 'seed-2-0-mini-260215', messages, max_tokens: 500, thinking: { type: 'disabled' } },
    { model: 'qwen3:8b', messages, max_tokens: 500 },
    { model: 'gpt-4.1-mini', messages, max_completion_tokens: 500, store: false },
  ]);
});

it('reports an answer that was cut, and leaves out thoughts', async () => {
  chat.server.upstream.answer = '<think>\nHm.\n</think>\n\nA blue teapot';
  expect((await generate(openAiCompatiblePreset, chat, { model: 'qwen3:8b' })).text.trim()).toBe('A blue teapot');
  const cut = await generate(openAiCompatiblePreset, chat, { model: 'qwen3:8b', max_output_tokens: 2 });
  expect(cut).toMatchObject({ outcome: 'cut', usage: { output_tokens: 2 } });
  geminiOptions.content = {
    candidates: [{ content: { parts: [] }, finishReason: 'MAX_TOKENS' }],
    usageMetadata: { promptTokenCount: 200, thoughtsTokenCount: 500 },
  };
  const thoughtsOnly = await generate(geminiPreset, gemini, { model: 'gemini-3.5-flash-lite' });
  expect(thoughtsOnly).toEqual({ outcome: 'cut', text: '', usage: { input_tokens: 200, output_tokens: 500 } });
  geminiOptions.content = null;
});

it('never costs more than the greatest cost', async () => {
  const prices = { input_usd_per_million: '0.3', output_usd_per_million: '2.5' };
  expect(computeTextCost(prices, { input_tokens: 1000, output_tokens: 400 })).toBe(1300n);
  for (const text of ['A teapot', '茶壺'.repeat(200), '🫖'.repeat(50)]) {
    const { usage } = await generate(openAiPreset, chat, { model: 'gpt-6-luna', text });
    expect(usage && computeTextCost(prices, usage)).toBeLessThan(computeMaxTextCost(prices, { ...REQUEST, text }));
  }
});
