import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isActive } from '#contract/statuses.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { expectBalancedLedger } from '#server/studio/generations/testing/expect-balanced-ledger.ts';
import {
  type FakeProviderServer,
  startFakeProviderServer,
} from '#server/studio/generations/testing/fake-provider-server.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { measureMachineDelay } from '#server/app/testing/machine-delay.ts';
import { type ServiceProcess, prepareServiceProcess } from '#server/app/testing/service-process.ts';
import { type TcpProxy, startTcpProxy } from '#server/app/testing/tcp-proxy.ts';
import { startPostgres } from '#server/app/testing/test-postgres.ts';
import { type Load, startLoad } from './load.ts';

/** The limit is 10 s. */
const LONGEST_REQUEST_MS = 15_000;
const LONGEST_EXIT_MS = 20_000;
const machineDelayMs = measureMachineDelay();

const engines = (base_url: string) => ({
  engines: {
    plain: {
      adapter: 'http',
      base_url,
      submit: { path: '/jobs', body: '{ "key": submit_key }' },
      handle: 'answer.id',
      poll: { path: '/jobs/{{ handle.id }}' },
      poll_after_seconds: 0.1,
      cancel: { path: '/jobs/{{ handle.id }}/cancel' },
      state: 'answer.state',
      states: { running: 'working', done: 'done', failed: 'failed', canceled: 'canceled' },
      outputs: 'answer.outputs',
      cost_usd: 'answer.cost_usd',
    },
  },
  models: { 'imgmodel-b-2': { engine: 'plain' } },
});

const postgres = await startPostgres();

describe.skipIf(!postgres)('an api, a worker and a process of both that lose PostgreSQL (needs PostgreSQL)', () => {
  if (!postgres) return;
  let proxy: TcpProxy;
  let provider: FakeProviderServer;
  let services: ServiceProcess[] = [];
  let started: Load | undefined;
  /** Not through the proxy. */
  let directUrl: string;

  beforeAll(async () => {
    provider = await startFakeProviderServer();
    directUrl = await postgres.createDatabase();
    proxy = await startTcpProxy(Number(new URL(directUrl).port));
    const url = new URL(directUrl);
    url.port = String(proxy.port);
    services = await Promise.all(['api', 'worker', 'all'].map(() => prepareServiceProcess()));
    const DATA_DIR = services[0]?.dataDir ?? '';
    const ENGINES_FILE = join(DATA_DIR, 'engines.json');
    await writeFile(ENGINES_FILE, JSON.stringify(engines(provider.base_url)));
    const start = (ROLE: string, index: number) =>
      services[index]?.start(url.href, { ROLE, DATA_DIR, ENGINES_FILE, SECRET_KEY: 's'.repeat(43) });
    await Promise.all(['api', 'worker', 'all'].map(start));
    started = startLoad(services.filter((_, index) => index !== 1));
    await waitFor('first creates', async () => load().created.length > 4);
  });
  afterAll(async () => {
    await started?.stop();
    for (const service of services) await service.remove();
    await provider.close();
    await proxy.close();
    await postgres.stop();
  });

  function load(): Load {
    if (!started) throw new Error('There is no load yet.');
    return started;
  }

  const areReady = async () => {
    const responses = await Promise.all(services.map((service) => fetch(service.url('/readyz'))));
    return responses.map(({ ok }) => ok);
  };

  /** Resolves once every process is ready, creates succeed in both that serve them, and a new generation completes. */
  async function expectRecovery(): Promise<void> {
    const fromMs = Date.now();
    await waitFor('readiness', async () => (await areReady()).every(Boolean));
    for (const service of [services[0], services[2]])
      await waitFor('creates', async () => service && load().lastCreateMs(service) > fromMs);
    const id = load().created.at(-1) ?? '';
    await waitFor('a completed generation', async () => (await read(id))?.status === 'succeeded');
    expect(load().problems).toEqual([]);
    expect(load().longestMs()).toBeLessThan(LONGEST_REQUEST_MS + machineDelayMs());
    for (const service of services) expect(service.output()).not.toContain('unexpected error');
  }

  const read = (id: string) => services[0]?.get<Generation>(`/v1/generations/${id}`).catch(() => undefined);
  const waitUntilNotReady = () => waitFor('all to be not ready', async () => !(await areReady()).some(Boolean));

  it('recover from an immediate stop and 20 s without it', async () => {
    await postgres.shutDown('immediate');
    await waitUntilNotReady();
    await sleep(20_000);
    await postgres.restart();
    await expectRecovery();
  });

  it('recover from a fast restart', async () => {
    await postgres.shutDown('fast');
    await postgres.restart();
    await expectRecovery();
  });

  it('recover when all connections are terminated and then used up', async () => {
    const others: Client[] = [];
    const open = async () => {
      const client = new Client({ connectionString: directUrl });
      client.on('error', () => undefined);
      await client.connect();
      others.push(client);
      return client;
    };
    const administrator = await open();
    const isRefused = () =>
      open().then(
        () => false,
        () => true,
      );
    await waitFor('no connection to be left', async () => {
      await administrator.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'emulsion%'`,
      );
      return isRefused();
    });
    await waitUntilNotReady();
    await Promise.all(others.map((client) => client.end()));
    await expectRecovery();
  });

  it('recover from a server that hangs', async () => {
    await postgres.pause();
    await waitUntilNotReady();
    await sleep(5_000);
    await postgres.resume();
    await expectRecovery();
  });

  it('recover from a network that drops everything', async () => {
    proxy.drop();
    await waitUntilNotReady();
    await sleep(5_000);
    proxy.resume();
    await expectRecovery();
  });

  it('replace connections that are half open', async () => {
    proxy.freeze();
    await expectRecovery();
  });

  it('lose no acknowledged generation and submit none twice', async () => {
    await load().stop();
    const [service] = services;
    if (!service) throw new Error('No service runs.');
    const ended: Generation[] = [];
    for (const id of load().created)
      ended.push(
        await waitFor(`${id} to end`, async () => {
          const generation = await read(id);
          return generation && !isActive(generation.status) && generation;
        }),
      );
    expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(['succeeded']));
    expect(new Set(load().created).size).toBe(load().created.length);
    expect(new Set(provider.submits).size).toBe(provider.submits.length);
    expect(provider.submits.toSorted()).toEqual(load().created.toSorted());
    await expectBalancedLedger(service, ended);
  });

  it('exit in time and in order, even without it', async () => {
    await postgres.pause();
    const fromMs = Date.now();
    const exitCodes = await Promise.all(services.map((service) => service.stop('SIGTERM')));
    expect(Date.now() - fromMs).toBeLessThan(LONGEST_EXIT_MS + machineDelayMs());
    expect(exitCodes, services.map((service) => service.output()).join('\n')).toEqual([0, 0, 0]);
  });
});
