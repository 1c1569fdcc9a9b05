import { readdir } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { uploadFolder } from '#server/studio/uploads/upload-folder.ts';
import { createClient, createMaskFile, createPictureFile, openAiFixture, readError } from './testing/openai-fixture.ts';

const fixture = openAiFixture();
const { openStudio, listGenerations } = fixture;

describe('models', () => {
  it('are listed with our ids and the names of providers', async () => {
    const { client } = await openStudio();
    const ids = (await client.models.list()).data.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(['imgmodel-a-2', 'gpt-image-2', 'imgmodel-b-2']));
    expect(ids.filter((id) => id.includes('vid'))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    const slashed = ids.find((id) => id.includes('/')) ?? '';
    for (const id of ['gpt-image-2', slashed])
      expect(await client.models.retrieve(id)).toMatchObject({ id, object: 'model', owned_by: 'emulsion' });
    expect((await readError(client.models.retrieve('gpt-9'))).status).toBe(404);
  });
});

describe('an image', () => {
  it('comes as a link from one of our ids', async () => {
    const { client, studio } = await openStudio();
    const { data: images, response } = await client.images
      .generate({ model: 'imgmodel-a-2', prompt: 'a lighthouse', size: '1536x1024', user: 'ann' })
      .withResponse();
    const [generation] = await listGenerations(studio);
    expect(images).toMatchObject({ size: '4x2', output_format: 'png', usage: { total_tokens: 0 } });
    expect(images.data).toEqual([{ url: generation?.output.assets[0]?.url }]);
    expect(images.created).toBe(Math.floor(Date.parse(generation?.created_at ?? '') / 1_000));
    expect(response.headers.get('x-emulsion-cost-usd')).toBe('0.03');
    expect(response.headers.get('x-emulsion-generation-id')).toBe(generation?.id);
    expect(generation).toMatchObject({
      task: 'image.create',
      input: { prompt: 'a lighthouse', aspect_ratio: '3:2', resolution: '1K' },
      metadata: { user: 'ann' },
    });
  });

  it('comes as base64 from a GPT Image model', async () => {
    const { client, studio } = await openStudio();
    const images = await client.images.generate({
      model: 'gpt-image-2.5-flare',
      prompt: 'a lighthouse',
      size: '1024x1536',
      quality: 'high',
      moderation: 'auto',
      stream: false,
      safety_identifier: 'f00',
      user: 'ann',
    });
    expect(images.quality).toBe('high');
    const bytes = Buffer.from(images.data?.[0]?.b64_json ?? '', 'base64');
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    const [generation] = await listGenerations(studio);
    expect(generation).toMatchObject({ input: { size: '1024x1536', quality: 'high' }, metadata: { user: 'f00' } });
  });

  it('takes tags and metadata from headers', async () => {
    const { client, studio } = await openStudio();
    const headers = { 'X-Emulsion-Tags': 'client=acme', 'X-Emulsion-Metadata': '{"ticket":"7"}' };
    await client.images.generate({ model: 'imgmodel-a-2', prompt: 'a pier' }, { headers });
    expect((await listGenerations(studio))[0]?.metadata).toEqual({ client: 'acme', ticket: '7' });
  });

  it('is one of several that are reserved all or none', async () => {
    const { client, studio } = await openStudio('0.10');
    const order = { model: 'imgmodel-a-2', prompt: 'boats', n: 3, response_format: 'b64_json' } as const;
    const { data: images, response } = await client.images.generate(order).withResponse();
    expect(images.data).toHaveLength(3);
    expect(response.headers.get('x-emulsion-cost-usd')).toBe('0.09');
    expect(response.headers.get('x-emulsion-generation-id')?.split(', ')).toHaveLength(3);
    const error = await readError(client.images.generate({ ...order, prompt: 'more boats' }));
    expect(error).toMatchObject({ status: 402, type: 'insufficient_quota', code: 'insufficient_balance' });
    expect(error.message).toContain('$');
    expect(await listGenerations(studio)).toHaveLength(3);
  });

  it.each([
    ['1024x1024', { aspect_ratio: '1:1', resolution: '1K' }],
    ['1792x1024', { aspect_ratio: '16:9', resolution: '1K' }],
    ['2048x2048', { aspect_ratio: '1:1', resolution: '2K' }],
    ['3840x2160', { aspect_ratio: '16:9', resolution: '4K' }],
    ['auto', { aspect_ratio: 'auto', resolution: '1K' }],
  ])('of the size %s has the nearest shape and resolution', async (size, input) => {
    const { client, studio } = await openStudio();
    await client.images.generate({ model: 'imgmodel-a-2', prompt: 'a pier', size });
    expect((await listGenerations(studio))[0]?.input).toMatchObject(input);
  });
});

describe('an edit', () => {
  it('takes several files of a form', async () => {
    const { client, studio } = await openStudio();
    const image = [await createPictureFile('red'), await createPictureFile('blue')];
    const edit = { model: 'gpt-image-2.5-flare', image, prompt: 'combine them', n: 2, size: '1024x1024' } as const;
    const images = await client.images.edit(edit);
    expect(images.data?.map(({ b64_json }) => typeof b64_json)).toEqual(['string', 'string']);
    const generations = await listGenerations(studio);
    expect(generations).toHaveLength(2);
    expect(generations[0]).toMatchObject({ task: 'image.edit', input: { prompt: 'combine them' } });
    const uploads = (await studio.call('list_uploads')).body.data;
    expect(uploads.map(({ filename }) => filename)).toEqual(['blue.png', 'red.png']);
    const urls = (generations[0]?.input['images'] as { url: string }[] | undefined)?.map(
      ({ url }) => url.split('?')[0],
    );
    expect(urls).toEqual(uploads.toReversed().map(({ url }) => url.split('?')[0]));
  });

  it('takes one file, and JSON with links and data URIs', async () => {
    const { client, studio } = await openStudio();
    const image = await createPictureFile('red');
    await client.images.edit({ model: 'imgmodel-a-2', image, prompt: 'dusk', quality: 'auto', input_fidelity: 'low' });
    const [upload] = (await studio.call('list_uploads')).body.data;
    const data = `data:image/png;base64,${Buffer.from(await image.arrayBuffer()).toString('base64')}`;
    const body = {
      model: 'imgmodel-a-2',
      prompt: 'dawn',
      images: [{ image_url: upload?.url }, { image_url: data }],
    };
    expect(await client.post('/images/edits', { body })).toMatchObject({ data: [{ url: expect.any(String) }] });
    const [edited] = await listGenerations(studio);
    expect(edited?.input['images']).toHaveLength(2);
  });

  it('stores a mask with white for what changes, from a form and from JSON', async () => {
    const { client, studio } = await openStudio();
    const [image, mask] = [await createPictureFile('red'), await createMaskFile()];
    await client.images.edit({ model: 'imgmodel-a-2', image, mask, prompt: 'dusk' });
    const toUri = async (file: File) =>
      `data:image/png;base64,${Buffer.from(await file.arrayBuffer()).toString('base64')}`;
    const images = [{ image_url: await toUri(mask) }];
    const body = { model: 'imgmodel-a-2', prompt: 'dawn', images, mask: { image_url: await toUri(mask) } };
    expect(await client.post('/images/edits', { body })).toMatchObject({ data: [{ url: expect.any(String) }] });
    const generations = await listGenerations(studio);
    expect(generations).toHaveLength(2);
    for (const { input } of generations) {
      const { url } = input['mask'] as { url: string };
      const { pathname, search } = new URL(url);
      const response = await fetch(new URL(pathname + search, fixture.url));
      const stored = await sharp(Buffer.from(await response.arrayBuffer()))
        .toColourspace('b-w')
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect(stored.info).toMatchObject({ width: 8, height: 8, channels: 1 });
      expect([...stored.data]).toEqual(Array.from({ length: 64 }, (_, at) => (at % 8 < 4 ? 255 : 0)));
    }
  });

  it('refuses a mask without an alpha channel, of another size and as a link', async () => {
    const { client, studio } = await openStudio();
    const image = await createPictureFile('red');
    const edit = { model: 'imgmodel-a-2', image, prompt: 'dusk' };
    expect(await readError(client.images.edit({ ...edit, mask: image }))).toMatchObject({
      status: 400,
      param: 'mask',
      message: expect.stringContaining('missing alpha channel'),
    });
    expect((await studio.call('list_uploads')).body.data).toEqual([]);
    expect(await readError(client.images.edit({ ...edit, mask: await createMaskFile(16) }))).toMatchObject({
      status: 422,
      param: 'mask',
      message: expect.stringContaining('The mask is 16 × 16, the image 8 × 8 pixels.'),
    });
    const images = [{ image_url: 'https://example.com/a.png' }];
    const body = { model: 'imgmodel-a-2', prompt: 'dusk', images, mask: images[0] };
    expect(await readError(client.post('/images/edits', { body }))).toMatchObject({ status: 422, param: 'mask' });
    expect(await listGenerations(studio)).toEqual([]);
  });

  it('refuses other files by name, and orders nothing', async () => {
    const { client, studio } = await openStudio();
    const [image, mask] = [await createPictureFile('red'), await createPictureFile('blue')];
    const edit = { model: 'imgmodel-a-2', image, prompt: 'dusk' };
    expect(await readError(client.images.edit({ ...edit, markup: mask }))).toMatchObject({ param: 'markup' });
    const many = { ...edit, image: Array.from({ length: 18 }, () => image) };
    expect(await readError(client.images.edit(many))).toMatchObject({ status: 400, type: 'invalid_request_error' });
    const none = client.post('/images/edits', { body: { model: 'imgmodel-a-2', prompt: 'dusk' } });
    expect(await readError(none)).toMatchObject({ status: 422, param: 'image' });
    const text = new File(['no picture'], 'a.png', { type: 'image/png' });
    expect(await readError(client.images.edit({ ...edit, image: text }))).toMatchObject({
      status: 400,
      code: 'invalid_media_upload',
    });
    expect(await listGenerations(studio)).toEqual([]);
    expect((await studio.call('list_uploads')).body.data).toEqual([]);
    expect(await readdir(uploadFolder(fixture.service.get().deps.config))).toEqual([]);
  });

  it('refuses damaged, empty and oversized forms', async () => {
    const { client, studio } = await openStudio();
    const send = (body: FormData | string, type?: string) =>
      readError(client.post('/images/edits', { body, ...(type ? { headers: { 'content-type': type } } : {}) }));
    expect(await send('x', 'multipart/form-data')).toMatchObject({ status: 400, code: 'invalid_media_upload' });
    expect(await send('--x', 'multipart/form-data; boundary=x')).toMatchObject({ status: 400 });
    const form = (image: Blob | string, prompt = 'dusk') => {
      const built = new FormData();
      built.append('model', 'imgmodel-a-2');
      built.append('prompt', prompt);
      built.append('image', image);
      return built;
    };
    expect(await send(form(new Blob([])))).toMatchObject({ status: 400, code: 'invalid_media_upload' });
    expect(await send(form('https://example.com/a.png'))).toMatchObject({ status: 422, param: 'image' });
    expect(await send(form(new Blob(['x']), 'x'.repeat(1_100_000)))).toMatchObject({ status: 400 });
    const twice = form(await createPictureFile('red'));
    twice.append('prompt', 'dawn');
    expect(await send(twice)).toMatchObject({ status: 422, param: 'prompt' });
    const { config } = fixture.service.get().deps;
    const { maxUploadBytes } = config;
    config.maxUploadBytes = 100_000;
    expect(await send(form(new Blob([new Uint8Array(60_000)])))).toMatchObject({ status: 400 });
    const large = form(new Blob([new Uint8Array(60_000)]));
    large.append('image[]', new Blob([new Uint8Array(60_000)]));
    expect(await send(large)).toMatchObject({ status: 413, code: 'media_upload_too_large' });
    config.maxUploadBytes = maxUploadBytes;
    expect(await listGenerations(studio)).toEqual([]);
    expect(await readdir(uploadFolder(config))).toEqual([]);
  });
});

describe('a request that is refused', () => {
  it.each([
    ['steps', { steps: 20 }, 'steps'],
    ['a style', { style: 'natural' }, 'style'],
    ['a stream', { stream: true }, 'stream'],
    ['partial images', { partial_images: 2 }, 'partial_images'],
    ['other filters', { moderation: 'low' }, 'moderation'],
    ['a quality that it lacks', { quality: 'high' }, 'quality'],
    ['a format that it lacks', { output_format: 'webp' }, 'output_format'],
    ['a compression', { output_compression: 50 }, 'output_compression'],
    ['a size that it lacks', { size: '512x512' }, 'size'],
    ['a size in other words', { size: 'large' }, 'size'],
    ['eleven images', { n: 11 }, 'n'],
    ['another response format', { response_format: 'file' }, 'response_format'],
    ['an empty prompt', { prompt: '' }, 'prompt'],
    ['a user that is no text', { user: 7 }, 'user'],
  ])('for %s names the parameter', async (_, parameters, param) => {
    const { client, studio } = await openStudio();
    const body = { model: 'imgmodel-a-2', prompt: 'a pier', ...parameters };
    const error = await readError(client.post('/images/generations', { body }));
    expect(error).toMatchObject({ status: 422, type: 'invalid_request_error', code: 'invalid_request', param });
    expect(await listGenerations(studio)).toEqual([]);
  });

  it('of several images says what is wrong once', async () => {
    const { client } = await openStudio();
    const order = { model: 'imgmodel-a-2', prompt: '', n: 3, background: 'clear' as never };
    const several = await readError(client.images.generate(order));
    expect(several.message.match(/prompt:/g)).toHaveLength(1);
    expect(several.message.match(/background:/g)).toHaveLength(1);
    const { message } = await readError(client.images.generate({ ...order, background: null }));
    const one = await readError(client.images.generate({ ...order, background: null, n: 1 }));
    expect(message).toBe(one.message);
  });

  it('for a size lists the sizes that are there', async () => {
    const { client } = await openStudio();
    const { message } = await readError(
      client.images.generate({ model: 'imgmodel-a-2', prompt: 'a pier', size: '512x512' }),
    );
    expect(message).toContain('1024x1024, 2048x2048');
    expect(message).not.toContain('2880x2880');
  });

  it('for its model or key has the type of OpenAI', async () => {
    const { client, studio } = await openStudio();
    const order = { prompt: 'a pier' };
    const unknown = await readError(client.images.generate({ ...order, model: 'dall-e-3' }));
    expect(unknown).toMatchObject({ status: 400, code: 'model_not_found', param: 'model' });
    expect(await readError(client.images.generate(order))).toMatchObject({ code: 'model_required', param: 'model' });
    const stranger = createClient(fixture.url, 'sk-unknown');
    expect(await readError(stranger.images.generate({ ...order, model: 'gpt-image-2' }))).toMatchObject({
      status: 401,
      type: 'authentication_error',
      code: 'authentication_error',
    });
    expect(await readError(client.get('/chat/completions'))).toMatchObject({ status: 404, code: 'not_found' });
    expect(await listGenerations(studio)).toEqual([]);
  });

  it('by a budget or an approval has status 402 and our sentence', async () => {
    const { client, studio } = await openStudio('10.00', { maxRetries: 2 });
    const order = { model: 'imgmodel-a-2', prompt: 'a pier', n: 2 };
    await studio.call('set_budget', { body: { scope: 'organization', limit_usd: '0.05' } });
    expect(await readError(client.images.generate(order))).toMatchObject({
      status: 402,
      type: 'insufficient_quota',
      code: 'insufficient_balance',
      message: expect.stringContaining('$0.05'),
    });
    expect(await listGenerations(studio)).toEqual([]);

    const { call, addPerson } = fixture.service.get();
    const { session } = await addPerson('member', 'Ada');
    await call('update_settings', { body: { approval_above_usd: '0.05' } });
    const error = await readError(createClient(fixture.url, session).images.generate(order));
    expect(error).toMatchObject({ status: 402, type: 'insufficient_quota', code: 'approval_required' });
    expect(error.message).toContain('$0.06');
    await call('update_settings', { body: { approval_above_usd: null } });
  });

  it('by the provider says so, and is not to be repeated', async () => {
    const { client, studio } = await openStudio('10.00', { maxRetries: 2 });
    const error = await readError(client.images.generate({ model: 'imgmodel-a-2', prompt: 'fail please' }));
    const generations = await listGenerations(studio);
    expect(generations).toHaveLength(1);
    expect(error).toMatchObject({ status: 500, type: 'server_error', code: 'engine_failed' });
    expect(error.message).toContain('The scripted engine was told to fail.');
    expect(error.headers?.get('x-should-retry')).toBe('false');
    expect(error.headers?.get('x-emulsion-generation-id')).toBe(generations[0]?.id);
    expect(error.headers?.get('x-emulsion-cost-usd')).toBe('0.00');
  });
});
