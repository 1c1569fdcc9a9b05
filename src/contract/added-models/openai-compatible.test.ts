import { expect, it } from 'vitest';
import { parseInput } from '../parse-input.ts';
import { encodeInput } from './encode-input.ts';
import { normalizeCompatible } from './openai-compatible.ts';

it.each([
  ['image', { prompt: 'A cat', size: '512x512' }, { prompt: 'A cat', size: '512x512', n: 1 }],
  ['video', { prompt: 'A cat' }, { prompt: 'A cat', seconds: '4' }],
  [
    'speech',
    { input: 'Hello', voice: 'af_heart' },
    { input: 'Hello', voice: 'af_heart', speed: 1, response_format: 'mp3' },
  ],
] as const)('a compatible server takes its input of %s', async (kind, input, sent) => {
  const model = await normalizeCompatible(kind);
  const parsed = parseInput(model.contract, input, null);
  expect(parsed.ok && encodeInput(model, parsed.input, (_path, url) => url)).toEqual(sent);
});
