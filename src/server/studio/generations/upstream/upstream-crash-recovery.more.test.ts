import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Generation } from '#contract/resources/generation.ts';
import { itOnPostgres } from '#server/app/testing/kill-tests.ts';
import { type ServiceProcess, prepareServiceProcess } from '#server/app/testing/service-process.ts';
import { expectBalancedLedger } from '#server/studio/generations/testing/expect-balanced-ledger.ts';
import {
  type FakeProviderServer,
  startFakeProviderServer,
} from '#server/studio/generations/testing/fake-provider-server.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';

const PICTURE = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a lighthouse at dusk' } };

/** A service configured by `engines.json` with one engine that supports submit keys and one that does not. */
const enginesFile = (base_url: string) => {
  const engine = {
    adapter: 'http',
    base_url,
    submit: { path: '/jobs', body: '{ "key": submit_key, "prompt": input.prompt }' },
    handle: 'answer.id',
    poll: { path: '/jobs/{{ handle.id }}' },
    poll_after_seconds: 0.1,
    cancel: { path: '/jobs/{{ handle.id }}/cancel' },
    state: 'answer.state',
    states: { running: 'working', done: 'done', failed: 'failed', canceled: 'canceled' },
    outputs: 'answer.outputs',
    cost_usd: 'answer.cost_usd',
  };
  return {
    engines: { plain: engine, keyed: { ...engine, takes_submit_key: true } },
    models: { 'imgmodel-b-2': { engine: 'plain' }, 'imgmodel-a-2': { engine: 'keyed' } },
  };
};

describe('after being killed during upstream work, the service', () => {
  let service: ServiceProcess;
  let studio: FakeProviderServer;
  beforeEach(async () => {
    service = await prepareServiceProcess();
    studio = await startFakeProviderServer();
    studio.knowsKeys = true;
  });
  afterEach(async () => {
    await service.remove();
    await studio.close();
  });

  async function endsAllUpstream(databaseUrl: string | null): Promise<void> {
    const ENGINES_FILE = join(service.dataDir, 'engines.json');
    await writeFile(ENGINES_FILE, JSON.stringify(enginesFile(studio.base_url)));
    const up = () => service.start(databaseUrl, { ENGINES_FILE });
    const again = async () => {
      await service.stop('SIGKILL');
      studio.release();
      await up();
    };
    const make = async (model: string) => (await service.post<Generation>('/v1/generations', { ...PICTURE, model })).id;
    const submitted = (id: string) => studio.submits.filter((key) => key === id).length;
    const jobOf = (id: string) => studio.jobs.find(({ key }) => key === id);
    const polls = (id: string) => jobOf(id)?.polls ?? 0;
    const soon = (what: string, ask: () => unknown) => waitFor(what, async () => Boolean(await ask()));
    const reach = (id: string, status: Generation['status']) =>
      soon(
        `${id} to be ${status}`,
        async () => (await service.get<Generation>(`/v1/generations/${id}`)).status === status,
      );
    await up();

    studio.behaviors.submit = ['hang', 'hang'];
    const [lost, keyed] = [await make('imgmodel-b-2'), await make('imgmodel-a-2')];
    await soon('both submits', () => submitted(lost) + submitted(keyed) === 2);
    await again();
    await reach(lost, 'manual_review');
    await reach(keyed, 'succeeded');
    expect([submitted(lost), submitted(keyed), jobOf(keyed)?.canceled]).toEqual([1, 2, false]);

    studio.poll_default = 'running';
    const followed = await make('imgmodel-b-2');
    const canceled = await make('imgmodel-b-2');
    for (let times = 0; times < 2; times += 1) {
      const before = [polls(followed), polls(canceled)];
      await soon('polls', () => polls(followed) > (before[0] ?? 0) && polls(canceled) > (before[1] ?? 0));
      await again();
    }
    await soon('a poll', () => polls(canceled) > 0);
    studio.behaviors.cancel = ['drop'];
    await service.post(`/v1/generations/${canceled}/cancel`);
    await again();
    await soon('the canceled job to be stopped', () => jobOf(canceled)?.canceled);
    studio.poll_default = 'done';
    await reach(followed, 'succeeded');
    await service.post(`/v1/generations/${lost}/review`, { decision: 'reject', note: 'It was never made.' });
    expect([submitted(followed), submitted(canceled), jobOf(followed)?.canceled]).toEqual([1, 1, false]);

    studio.poll_default = 'hang';
    const late = await make('imgmodel-b-2');
    await soon('a poll', () => polls(late) > 0);
    studio.behaviors.cancel = ['late', 'late'];
    await service.post(`/v1/generations/${late}/cancel`);
    await soon('the poll after its cancel', () => studio.lateCancels.length === 1 && polls(late) > 1);
    studio.poll_default = 'done';
    await again();
    await soon(
      'its end',
      async () => (await service.get<{ state: string }>(`/v1/generations/${late}/upstream`)).state === 'ended',
    );
    expect(await service.get(`/v1/generations/${late}`)).toMatchObject({ output: { assets: [{ type: 'image' }] } });
    expect(await service.get(`/v1/generations/${late}/upstream`)).toMatchObject({ cost_usd: '0.01' });
    expect(submitted(late)).toBe(1);

    const { data } = await service.get<{ data: Generation[] }>('/v1/generations?limit=200');
    expect(Object.fromEntries(data.map(({ id, status }) => [id, status]))).toEqual({
      [lost]: 'failed',
      [keyed]: 'succeeded',
      [followed]: 'succeeded',
      [canceled]: 'canceled',
      [late]: 'canceled',
    });
    await expectBalancedLedger(service, data);
    expect(await service.get(`/v1/generations/${followed}/upstream`)).toMatchObject({
      state: 'ended',
      cost_usd: '0.01',
    });
  }

  it('submits nothing twice, continues by its handles and cancels canceled jobs', async () => {
    await endsAllUpstream(null);
  }, 300_000);

  itOnPostgres('does so where the database is PostgreSQL', () => service, endsAllUpstream, 400_000);
});
