import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import type { GenerationStatus } from '#contract/statuses.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { ledgerEntries } from '#server/platform/db/schema/billing-schema.ts';
import { type Worker, startWorker } from '#server/app/worker.ts';
import type { SharedService, TestOrganization } from './shared-service-fixture.ts';
import { waitFor } from './wait-for.ts';

export interface WorkerFixture {
  start(options?: Parameters<typeof startWorker>[1]): Promise<Worker>;
  stop(): Promise<void>;
  /** A picture by default. */
  create(studio: TestOrganization, prompt: string, order?: Record<string, unknown>): Promise<Generation>;
  read(studio: TestOrganization, id: string): Promise<Generation>;
  waitForStatus(studio: TestOrganization, id: string, status: GenerationStatus): Promise<Generation>;
  readLedgerEntries(id: string): Promise<string[]>;
  /** Stored originals; derivatives are created at any time and are left out. */
  listStoredKeys(): Promise<string[]>;
  listTempDirs(): Promise<string[]>;
}

const isDerivativeKey = (key: string): boolean => key.startsWith('derivatives/');

export function createWorkerFixture(service: SharedService): WorkerFixture {
  const workers: Worker[] = [];
  const read = async (studio: TestOrganization, id: string) =>
    (await studio.call('get_generation', { params: { generation_id: id } })).body;
  return {
    read,
    async start(options) {
      const worker = await startWorker(service.get().deps, options);
      workers.push(worker);
      return worker;
    },
    async stop() {
      for (const worker of workers.splice(0)) await worker.stop();
    },
    async create(studio, prompt, order = {}) {
      const body = { task: 'image.create', model: 'imgmodel-a-2', ...order, input: { prompt } };
      return (await studio.call('create_generation', { body })).body;
    },
    waitForStatus: (studio, id, status) =>
      waitFor(`${id} to be ${status}`, async () => {
        const now = await read(studio, id);
        return now.status === status && now;
      }),
    async readLedgerEntries(id) {
      const { db } = service.get().deps;
      const rows = await db.select().from(ledgerEntries).where(eq(ledgerEntries.generation_id, id));
      return rows.map(({ type, amount_micro_usd }) => `${type} ${amount_micro_usd}`).sort();
    },
    async listStoredKeys() {
      const keys: string[] = [];
      for await (const { key } of service.get().deps.storage.list()) if (!isDerivativeKey(key)) keys.push(key);
      return keys;
    },
    async listTempDirs() {
      const root = join(service.get().deps.config.dataDir, 'scratch');
      const processes = await readdir(root).catch(() => []);
      return (await Promise.all(processes.map((name) => readdir(join(root, name))))).flat();
    },
  };
}
