import { describe, expect, it } from 'vitest';
import { SchemaError } from '#contract/added-models/schema-error.ts';
import { type Fault, respondWith } from '#server/models/engine/testing/fake-upstream-server.ts';
import { addedFalModels } from './added-fal-models.ts';
import { useAddedFal } from './testing/added-fal-fixture.ts';

const fal = useAddedFal();
const signal = new AbortController().signal;
const read = (provider_model: string, key?: string) =>
  addedFalModels.read(fal.connection(key), { provider_model, provider_version: null }, signal);

/** Answers the requests of one `read` whose paths begin so with a fault. */
function failRequests(path: string, fault: Fault): void {
  for (let requests = 0; requests < 3; requests += 1)
    fal.server.injectFault((request, response, serve) =>
      request.url?.startsWith(path) ? fault(request, response, serve) : serve(),
    );
}

describe('the address of a model of fal', () => {
  const ID = 'fal-ai/kokoro/american-english';
  it.each([
    ID,
    ` ${ID}/ `,
    `https://fal.ai/models/${ID}`,
    `https://fal.ai/models/${ID}/api?platform=http#auth`,
    `https://www.fal.ai/models/${ID}/playground/`,
    `fal.ai/models/${ID}/llms.txt`,
    `https://fal.run/${ID}`,
    `https://queue.fal.run/${ID}?fal_webhook=x`,
  ])('is read from %s', (text) => {
    expect(addedFalModels.parseAddress(text)).toEqual({ provider_model: ID, provider_version: null });
  });

  it.each([
    '',
    'kokoro',
    'https://fal.ai/models',
    'https://fal.ai/models/kokoro',
    'https://fal.ai/pricing/models/a/b',
    'https://example.com/fal-ai/kokoro',
    'example.com/fal-ai/kokoro',
    'fal-ai/../admin',
    'fal-ai/kokoro/requests/1',
    'fal-ai//kokoro',
    'fal-ai/ko koro',
    'fal-ai/kokoro%2f..',
    `fal-ai/${'a'.repeat(200)}`,
    `fal-ai/kokoro?${'a'.repeat(500)}`,
  ])('is not %j', (text) => {
    expect(addedFalModels.parseAddress(text)).toBeNull();
  });
});

describe('the search', () => {
  it('lists active models', async () => {
    expect(await addedFalModels.search?.(fal.connection(), 'SPEECH', signal)).toEqual([
      {
        provider_model: 'acme/speech',
        name: 'Acme Speech',
        description: 'Reads a text aloud.',
        category: 'text-to-speech',
      },
    ]);
  });

  it('rejects a wrong key', async () => {
    await expect(addedFalModels.search?.(fal.connection('wrong:key'), 'x', signal)).rejects.toMatchObject({
      message: 'The provider rejected the API key. Ask the operator to check it.',
    });
  });
});

describe('reading a model', () => {
  it('returns its schema, its price and what its page says about prices', async () => {
    const snapshot = await read('acme/motion/text-to-video');
    expect(snapshot).toMatchObject({
      name: 'Acme Motion',
      category: 'text-to-video',
      page_url: 'https://fal.ai/models/acme/motion/text-to-video',
      is_deprecated: false,
      published_price: { unit_price: 0.1, unit: 'seconds' },
      price_text: 'Each second costs $0.10 at 720p. 1080p costs twice as much, audio adds 50 %.',
    });
    const { normalized, provider_data } = await addedFalModels.normalize(snapshot, {});
    expect(normalized.contract.fields.map(({ name }) => name)).toContain('duration');
    expect(normalized.output.files).toMatchObject([{ path: 'video.url', kind: 'video' }]);
    expect(provider_data).toBeNull();
  });

  it('returns a deprecated model, and none of the prices that fal does not publish', async () => {
    expect(await read('acme/transcribe')).toMatchObject({
      is_deprecated: true,
      published_price: null,
      price_text: null,
    });
  });

  it('works without the page about prices', async () => {
    failRequests('/pages/', respondWith(500, 'oops'));
    expect(await read('acme/motion/text-to-video')).toMatchObject({ name: 'Acme Motion', price_text: null });
  });

  it('fails without the price list, because a model has no price then', async () => {
    failRequests('/api/models/pricing', respondWith(500, 'oops'));
    await expect(read('acme/speech')).rejects.toMatchObject({ name: 'ResponseLostError' });
  });

  it('says that fal has no such model', async () => {
    const missing = { code: 'model_unavailable', message: 'fal has no model acme/gone. Check its name or address.' };
    await expect(read('acme/gone')).rejects.toMatchObject(missing);
  });

  it.each([
    ['an empty list', { models: [] }, 'fal has no model acme/speech. Check its name or address.'],
    [
      'a schema that fal could not read',
      { models: [{ endpoint_id: 'acme/speech', openapi: { error: { code: 'expansion_failed', message: 'x' } } }] },
      'fal did not return the schema of this model. Try again later.',
    ],
    ['a page', '<html>', 'The provider returned an unreadable response.'],
  ])('fails on %s', async (_name, body, message) => {
    failRequests('/api/models?', respondWith(200, typeof body === 'string' ? body : JSON.stringify(body)));
    await expect(read('acme/speech')).rejects.toMatchObject({ message });
  });

  it('rejects a wrong key', async () => {
    await expect(read('acme/speech', 'wrong:key')).rejects.toMatchObject({ code: 'model_unavailable' });
  });

  it('passes on what is wrong with a schema', async () => {
    const snapshot = await read('acme/speech');
    await expect(addedFalModels.normalize({ ...snapshot, document: {} }, {})).rejects.toThrow(SchemaError);
  });
});
