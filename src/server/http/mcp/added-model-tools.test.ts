import { expect, it } from 'vitest';
import type { Generation } from '#contract/resources/generation.ts';
import { addedModelsFixture } from '#server/models/added-models/testing/added-models-fixture.ts';
import { connectClient, listToolNames, readError, readJson } from './testing/connect-client.ts';

const models = addedModelsFixture();

it('a model is ordered by the tool of its task, which is there while somebody may use one', async () => {
  const { service } = models;
  const client = await connectClient(await service.listen(), service.keys.organization);
  expect(await listToolNames(client)).not.toContain('create_speech');
  const { id } = await models.publish('acme/speech');
  const { tools } = await client.listTools();
  const tool = tools.find(({ name }) => name === 'create_speech');
  expect(tool?.description).toContain(`- ${id}: at most $0.25 a run`);
  expect(JSON.stringify(tool?.inputSchema)).toContain(id);
  const speak = (input: Record<string, unknown>) =>
    client.callTool({
      name: 'create_speech',
      arguments: { model: id, input, idempotency_key: `speak-${JSON.stringify(input)}` },
    });
  expect(readError(await speak({ text: 'Hello', voice: 'zoe' }))).toMatchObject({
    code: 'invalid_request',
    details: [{ path: 'input.voice' }],
  });
  const ordered = readJson<Generation>(await speak({ text: 'Hello' }));
  expect(ordered).toMatchObject({ task: 'audio.speech', model: id, model_version: 1, input: { voice: 'ann' } });
  const waited = await client.callTool({ name: 'wait_for_generation', arguments: { generation_id: ordered.id } });
  expect(readJson<Generation>(waited)).toMatchObject({
    id: ordered.id,
    status: 'succeeded',
    usage: { billing_status: 'settled' },
  });
  await models.change(id, { state: 'paused' });
  expect(readError(await speak({ text: 'Bye' }))).toMatchObject({
    code: 'model_unavailable',
    message: 'Acme Speech is paused.',
  });
  await client.close();
});
