import { readFile } from 'node:fs/promises';
import { createOpenAI } from '@ai-sdk/openai';
import { generateSpeech } from 'ai';
import type OpenAI from 'openai';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AddedModel } from '#contract/resources/added-model.ts';
import { addedModelsFixture, PER_RUN } from '#server/models/added-models/testing/added-models-fixture.ts';
import { createClient, createMaskFile, createPictureFile, readError } from './testing/openai-fixture.ts';

const models = addedModelsFixture();
let client: OpenAI;
let speech: AddedModel;
let sound: Buffer;

beforeAll(async () => {
  client = createClient(await models.service.listen(), models.service.keys.organization);
  speech = await models.publish('acme/speech');
  sound = await readFile(models.media.sound());
});

const lastOrder = async () => (await models.service.call('list_generations', { query: { limit: 1 } })).body.data[0];

describe('speech', () => {
  const order = { input: 'The tide is low.', voice: 'ben' };

  it('is made by an added model, and comes as a file', async () => {
    models.upstream.outputs = [sound];
    const ids = (await client.models.list()).data.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining([speech.id, 'acme/speech']));
    for (const model of [speech.id, 'acme/speech']) {
      const response = await client.audio.speech.create({ ...order, model, speed: 1.5 });
      expect(response.headers.get('content-type')).toMatch(/^audio\//);
      expect(
        Buffer.from(await response.arrayBuffer())
          .subarray(0, 4)
          .toString(),
      ).toBe('RIFF');
      const generation = await lastOrder();
      expect(response.headers.get('x-emulsion-generation-id')).toBe(generation?.id);
      expect(generation?.input).toMatchObject({ text: order.input, voice: 'ben', speed: 1.5 });
    }
  });

  it('is made with what clients send where nobody has chosen a voice or a format', async () => {
    models.upstream.outputs = [sound];
    const openai = createOpenAI({ baseURL: client.baseURL, apiKey: models.service.keys.organization });
    const { audio } = await generateSpeech({ model: openai.speech('acme/speech'), text: order.input });
    expect(Buffer.from(audio.uint8Array).subarray(0, 4).toString()).toBe('RIFF');
    expect((await lastOrder())?.input).toMatchObject({ text: order.input, voice: 'ann' });
  });

  it('refuses what the model lacks by name', async () => {
    const refuse = (more: object) =>
      readError(client.audio.speech.create({ ...order, model: 'acme/speech', ...more } as never));
    expect(await refuse({ response_format: 'opus' })).toMatchObject({ status: 422, param: 'response_format' });
    expect(await refuse({ instructions: 'Whisper.' })).toMatchObject({ status: 422, param: 'instructions' });
    expect(await refuse({ stream_format: 'sse' })).toMatchObject({ status: 422, param: 'stream_format' });
    expect(await refuse({ voice: 'nova' })).toMatchObject({ status: 422, param: 'voice' });
    expect(await refuse({ input: '' })).toMatchObject({ status: 422, param: 'input' });
    expect(await refuse({ model: 'imgmodel-a-2' })).toMatchObject({ status: 400, code: 'unsupported_task' });
    const image = await readError(client.images.generate({ model: 'acme/speech', prompt: 'a pier' }));
    expect(image).toMatchObject({ status: 400, param: 'model', code: 'unsupported_task' });
  });
});

describe('images', () => {
  it('of a model that counts are one order, in the size of the request', async () => {
    const paint = await models.publish('acme/paint/lora');
    const picture = await readFile(models.media.picture());
    models.upstream.outputs = [picture, picture];
    const order = { model: 'acme/paint/lora', prompt: 'a pear', n: 2, size: '1536x1024', extra: 1 };
    expect(await readError(client.images.generate(order))).toMatchObject({ status: 422, param: 'extra' });
    const { extra: _, ...valid } = order;
    expect((await client.images.generate(valid)).data).toHaveLength(2);
    expect(await lastOrder()).toMatchObject({
      model: paint.id,
      input: { num_images: 2, image_size: { width: 1536, height: 1024 } },
    });
    expect(await readError(client.images.generate({ ...valid, n: 9 }))).toMatchObject({ status: 422, param: 'n' });
  });

  it('are edited with a mask by a model that takes one', async () => {
    const inpaint = await models.publish('acme/inpaint', { task: 'image.edit', price: PER_RUN });
    models.upstream.outputs = [await readFile(models.media.picture())];
    const [image, mask] = [await createPictureFile('red'), await createMaskFile()];
    const edit = { model: 'acme/inpaint', image, mask, prompt: 'a boat' };
    expect((await client.images.edit(edit)).data).toHaveLength(1);
    expect(await lastOrder()).toMatchObject({
      model: inpaint.id,
      input: { image_url: { url: expect.any(String) }, mask_url: { url: expect.any(String) } },
    });
    expect(await readError(client.images.edit({ ...edit, image: [image, mask] }))).toMatchObject({
      status: 422,
      param: 'image',
    });
  });

  it('that a filter refuses are a fault of the request', async () => {
    models.upstream.refuses_content = true;
    const error = await readError(client.images.generate({ model: 'acme/paint/lora', prompt: 'a pear' }));
    models.upstream.refuses_content = false;
    expect(error).toMatchObject({ status: 400, type: 'image_generation_user_error', code: 'moderation_blocked' });
    expect(error.headers?.get('x-should-retry')).toBe('false');
  });
});
