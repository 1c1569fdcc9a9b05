import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { TestOrganization } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createPicture, OPENAI_PATH, openAiFixture } from './testing/openai-fixture.ts';

const fixture = openAiFixture();

const post = async ({ key }: TestOrganization, path: string, body: FormData | object) => {
  const isForm = body instanceof FormData;
  const response = await fetch(`${fixture.url}${OPENAI_PATH}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, ...(isForm ? {} : { 'Content-Type': 'application/json' }) },
    body: isForm ? body : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as { data: { b64_json?: string; url?: string }[] } };
};

const isPicture = (base64 = '') => Buffer.from(base64, 'base64').subarray(1, 4).toString() === 'PNG';

/** `backend/open_webui/routers/images.py` of open-webui/open-webui at 02530d50, read 2026-11-26. */
describe('Open WebUI', () => {
  it('creates images as its source sends it', async () => {
    const { studio } = await fixture.openStudio();
    // `image_generations`: GPT Image is asked without `response_format` where it matches a pattern, else with b64_json.
    const order = { prompt: 'a lighthouse', n: 1, size: '1024x1024' };
    const gpt = await post(studio, '/images/generations', { model: 'gpt-image-2', ...order });
    expect([gpt.status, isPicture(gpt.body.data[0]?.b64_json)]).toEqual([200, true]);
    const ours = await post(studio, '/images/generations', {
      model: 'imgmodel-b-2',
      ...order,
      response_format: 'b64_json',
    });
    expect([ours.status, isPicture(ours.body.data[0]?.b64_json)]).toEqual([200, true]);
  });

  it.each([['image'], ['image[]']])('edits images of the field %s as its source sends it', async (field) => {
    const { studio } = await fixture.openStudio();
    // `image_edits`: every value is a text of the form.
    const form = new FormData();
    for (const [name, value] of Object.entries({ model: 'gpt-image-2', prompt: 'dusk', n: '1', size: '1536x1024' }))
      form.append(name, value);
    form.append('response_format', 'b64_json');
    form.append(field, new Blob([await createPicture('red')], { type: 'image/png' }), 'e1f0.png');
    const { status, body } = await post(studio, '/images/edits', form);
    expect([status, isPicture(body.data[0]?.b64_json)]).toEqual([200, true]);
  });
});

/** `packages/@n8n/nodes-langchain/nodes/vendors/OpenAi/v2/actions/` of n8n-io/n8n at 0713e950, read 2026-11-26. */
describe('n8n', () => {
  it('creates images as its source sends it', async () => {
    const { studio } = await fixture.openStudio();
    // `image/generate.operation.ts`: GPT Image without `response_format`, others with it.
    const gpt = { prompt: 'a lighthouse', model: 'gpt-image-2.5-flare', quality: 'medium', size: '1024x1536' };
    const { body } = await post(studio, '/images/generations', gpt);
    expect(isPicture(body.data[0]?.b64_json)).toBe(true);
    const others = { prompt: 'a lighthouse', model: 'imgmodel-b-2', response_format: 'url' };
    expect((await post(studio, '/images/generations', others)).body.data[0]?.url).toMatch(/^http/);
  });

  it('edits images as its source sends it', async () => {
    const { studio } = await fixture.openStudio();
    // `image/edit.operation.ts`, with a model whose name it does not know: one `image`, and a link is expected.
    const form = new FormData();
    form.append('image', new Blob([await createPicture('red')], { type: 'image/png' }), 'data.png');
    for (const [name, value] of Object.entries({ prompt: 'dusk', model: 'imgmodel-a-2', n: '1', size: '1024x1024' }))
      form.append(name, value);
    form.append('user', 'user-12345');
    const { status, body } = await post(studio, '/images/edits', form);
    expect([status, body.data[0]?.url?.slice(0, 4)]).toEqual([200, 'http']);
  });
});

/** `langchain_community/utilities/dalle_image_generator.py` and `@langchain/openai` 1.6.0, `DallEAPIWrapper`. */
describe('LangChain', () => {
  it('creates images with its defaults', async () => {
    const { studio } = await fixture.openStudio();
    const defaults = {
      n: 1,
      size: '1024x1024',
      quality: 'standard',
      style: 'vivid',
      response_format: 'url',
      user: null,
    };
    for (const model of ['imgmodel-b-2', 'gpt-image-2', 'gpt-image-2.5-flare']) {
      const { status, body } = await post(studio, '/images/generations', {
        model,
        prompt: 'a lighthouse',
        ...defaults,
      });
      expect([status, body.data[0]?.url?.slice(0, 4)]).toEqual([200, 'http']);
    }
    const natural = { model: 'imgmodel-b-2', prompt: 'a lighthouse', ...defaults, style: 'natural' };
    expect((await post(studio, '/images/generations', natural)).status).toBe(422);
  });
});

/** Clients that write every parameter, those that nobody has set included. */
describe('empty values', () => {
  const nothing = { n: null, size: '', quality: null, style: '', user: '', image: [], mask: null, response_format: '' };

  it('are the same as none, in JSON and in a form', async () => {
    const { studio } = await fixture.openStudio();
    const order = { model: 'imgmodel-b-2', prompt: 'a lighthouse' };
    expect((await post(studio, '/images/generations', { ...order, ...nothing, extra: {} })).status).toBe(200);
    const image_url = `data:image/png;base64,${(await createPicture('red')).toString('base64')}`;
    const edit = { ...order, ...nothing, images: [{ image_url, file_id: null, detail: '' }] };
    expect((await post(studio, '/images/edits', edit)).status).toBe(200);
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...order, n: '', size: '', mask: '', user: '', response_format: '' }))
      form.append(name, value);
    form.append('image', new Blob([await createPicture('red')], { type: 'image/png' }), 'a.png');
    expect((await post(studio, '/images/edits', form)).status).toBe(200);
  });
});

describe('curl', () => {
  it('creates and edits images', async () => {
    const { studio } = await fixture.openStudio();
    const base = `${fixture.url}${OPENAI_PATH}`;
    const script = `
      curl -sf "$BASE/images/generations" -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \\
        -d '{"model":"imgmodel-a-2","prompt":"A lighthouse at dusk","size":"1536x1024"}'
      echo
      echo "$PICTURE" | base64 -d > "$TMP/photo.png"
      curl -sf "$BASE/images/edits" -H "Authorization: Bearer $KEY" \\
        -F model=imgmodel-a-2 -F prompt="Make it night" -F "image[]=@$TMP/photo.png"`;
    const { stdout } = await promisify(execFile)('bash', ['-c', `TMP=$(mktemp -d); ${script}; rm -r "$TMP"`], {
      env: { ...process.env, BASE: base, KEY: studio.key, PICTURE: (await createPicture('red')).toString('base64') },
    });
    expect(stdout.split('\n').map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ data: [{ url: expect.any(String) }] }),
      expect.objectContaining({ data: [{ url: expect.any(String) }] }),
    ]);
  });
});
