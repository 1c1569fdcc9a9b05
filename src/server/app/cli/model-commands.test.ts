import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useCliFixture } from '#server/app/testing/cli-fixture.ts';
import { type FakeUpstreamServer, startFakeUpstream } from '#server/models/engine/testing/fake-upstream-server.ts';
import { createFakeFalRecord } from '#server/models/providers/fal/testing/fake-fal-record.ts';
import { createFakeFalHandler } from '#server/models/providers/fal/testing/fake-fal-server.ts';
import { connectProvider } from '#server/models/connections/manage-providers.ts';
import { shellActor } from '#server/accounts/audit/record-audit-event.ts';
import { auditEvents } from '#server/platform/db/schema/audit-schema.ts';
import { withService } from './cli-session.ts';
import { modelCommands } from './model-commands.ts';

const KEY = 'fal-id-0123456789:fal-secret';
const record = createFakeFalRecord();
let fal: FakeUpstreamServer;

const cli = useCliFixture({ ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8' });
const run = (...args: readonly string[]): Promise<string[]> => cli.run(modelCommands, args);
const inService = (work: Parameters<typeof withService>[0]) => cli.withEnv(() => withService(work));

beforeAll(async () => {
  fal = await startFakeUpstream(KEY, (upstream) => createFakeFalHandler(upstream, record));
});
afterAll(() => fal.close());

describe('models', () => {
  it('needs a connected provider', async () => {
    await expect(run('add', 'fal:acme/speech')).rejects.toThrow(
      '“fal” is not connected, or its models can’t be added. Connect a provider first.',
    );
    await expect(run('add', 'acme/speech')).rejects.toThrow('Enter the provider first');
    await inService(async ({ deps, organization_id }) => {
      const models = [{ task: 'image.create' as const, model: 'imgmodel-b-2' as const, markup_percent: null }];
      const request = { provider: 'fal' as const, key: KEY, address: fal.base_url, models };
      await connectProvider(
        deps,
        shellActor(organization_id),
        { ...request, use_environment: false },
        new AbortController().signal,
      );
    });
    await expect(run('add', 'replicate:a/b')).rejects.toThrow(/“replicate” is not connected.* Choose fal \(prv_/);
  });

  it('adds a model at the suggested price, publishes, pauses and removes it', async () => {
    const [model] = Object.values(record.models);
    if (!model) return expect.fail('There is no model.');
    // Without the control characters of its name.
    record.models = { ...record.models, 'acme/speech': { ...model, name: 'Acme\u001bSpeech' } };
    expect(await run('add', 'fal:acme/speech')).toEqual([
      'added-acme-speech  Acme Speech  draft  audio.speech  fal:acme/speech  at most $0.25 a run',
      'Price: $0.05 per 1000 characters of text',
    ]);
    const line = (state: string) =>
      `added-acme-speech  Acme Speech  ${state}  audio.speech  fal:acme/speech  at most $0.25 a run`;
    expect(await run('publish', 'added-acme-speech')).toEqual([line('published')]);
    expect(await run('pause', 'added-acme-speech')).toEqual([line('paused')]);
    expect(await run('list')).toEqual([line('paused')]);
    expect(await run('remove', 'added-acme-speech')).toEqual(['added-acme-speech is removed.']);
    await expect(run('publish', 'added-acme-speech')).rejects.toThrow('Added model not found.');
    await inService(async ({ deps }) => {
      const events = await deps.db.select().from(auditEvents).orderBy(auditEvents.seq);
      expect(events.filter(({ target_type }) => target_type === 'added_model')).toMatchObject([
        { action: 'added_model.created', actor_type: 'shell' },
        { action: 'added_model.published', actor_type: 'shell' },
        { action: 'added_model.paused', actor_type: 'shell' },
        { action: 'added_model.removed', actor_type: 'shell' },
      ]);
    });
  });

  it('adds and publishes a model with everything set', async () => {
    const options = ['--task', 'other.run', '--unit', 'second', '--price', '0.2', '--cap', '3'];
    const more = ['--markup', '50', '--name', 'Motion', '--publish'];
    expect(await run('add', 'fal:acme/motion/text-to-video', ...options, ...more)).toEqual([
      'added-motion  Motion  published  other.run  fal:acme/motion/text-to-video  at most $3.00 a run',
      'Price: $0.20 per second of duration, at most $3.00',
      'The provider writes: Each second costs $0.10 at 720p. 1080p costs twice as much, audio adds 50 %.',
    ]);
  });

  it.each([
    [['fal:acme/inpaint', '--unit', 'gallon'], '--unit: Choose image, second'],
    [['fal:acme/inpaint', '--unit', 'second'], 'Enter --price and --unit together.'],
    [['fal:acme/inpaint', '--unit', 'second', '--price', 'much'], '--price: Enter dollars such as 0.05'],
    [['fal:acme/inpaint', '--task', 'image.unknown'], 'task: '],
    [['fal:acme/inpaint', '--task', 'video.trim'], 'runs on no model.'],
    [['fal:acme/unknown'], 'fal has no model acme/unknown.'],
    [['fal:acme/transcribe'], 'The provider publishes no price of this model. Enter --price and --unit.'],
    [['fal:acme/inpaint'], 'Nothing bounds the price. Add a cap, or the largest quantity.'],
  ])('refuses %j', async (args, message) => {
    await expect(run('add', ...args)).rejects.toThrow(message);
  });
});
