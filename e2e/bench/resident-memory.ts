import type { GenerationCreate } from '#contract/resources/generation.ts';
import { startPostgres } from '#server/app/testing/test-postgres.ts';
import { call, fetchBillingSummary, postGeneration } from '../support/api-client.ts';
import { type Service, startService } from '../support/service.ts';
import { findChild, type Memory, readMemory, watchMemory } from './memory.ts';
import { inMs, printCheck, printRow } from './report.ts';

const ORDERS = 150;
const REST_MIB = 450;
const PEAK_MIB = 1_000;
const SETTLE_MS = 20_000;
const IDLE_MS = 120_000;
const CREDIT = { amount_usd: '100000', description: 'bench' };
const unlimited = { PUBLIC_RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_PER_MINUTE: '1000000' };

const picture = (index: number): GenerationCreate => ({
  task: 'image.create',
  model: 'imgmodel-b-2',
  input: {
    prompt: `${['A lighthouse at dusk', 'A vase of tulips', 'Abstract silk'][index % 3]}, ${index}`,
    aspect_ratio: '16:9',
    resolution: index % 10 === 0 ? '4K' : '1K',
  },
});
const video = (index: number): GenerationCreate => ({
  task: 'video.create',
  model: 'vidmodel-c-2',
  input: {
    prompt: `Waves at sunset, ${index}`,
    aspect_ratio: '16:9',
    duration_seconds: 5,
    resolution: '1080p',
    generate_audio: true,
  },
});
/** Three of them are videos. */
const order = (index: number) => (index % 50 === 25 ? video(index) : picture(index));

/** Measures what the service and its child processes take before, during and after generations of the preview. */
export async function measureResidentMemory(): Promise<void> {
  await measure('embedded', {});
  const postgres = await startPostgres();
  if (!postgres) {
    process.stdout.write('memory on PostgreSQL: not measured, because initdb is not installed\n');
    return;
  }
  try {
    await measure('PostgreSQL', { DATABASE_URL: await postgres.createDatabase() });
  } finally {
    await postgres.stop();
  }
}

async function measure(database: string, env: Record<string, string>): Promise<void> {
  const service = await startService({ ...unlimited, ...env });
  try {
    const pid = await findChild('src/server/app/main.mjs');
    if (pid === undefined) throw new Error('The process of the service was not found.');
    await wait(SETTLE_MS);
    print(`${database}, at rest`, await readMemory(pid), REST_MIB);
    const began = performance.now();
    print(`${database}, peak`, await watchMemory(pid, () => runOrders(service)), PEAK_MIB);
    const tookMs = performance.now() - began;
    process.stdout.write(`  ${ORDERS} orders in ${inMs(tookMs)}\n`);
    await wait(IDLE_MS);
    print(`${database}, 2 minutes later`, await readMemory(pid), REST_MIB);
  } finally {
    await service.stop();
  }
}

async function runOrders(service: Service): Promise<void> {
  await call(service, 'POST', '/v1/billing/credits', CREDIT);
  for (let index = 0; index < ORDERS; index += 1) await postGeneration(service, order(index));
  while ((await fetchBillingSummary(service)).reserved_usd !== '0.00') await wait(1_000);
}

function print(name: string, { serviceMib, childrenMib, sumMib }: Memory, mark: number): void {
  const parts = `${Math.round(serviceMib)} + ${Math.round(childrenMib)}`;
  printRow(`memory, ${name}`, `${Math.round(sumMib)} MiB`, `${mark} MiB`, sumMib / mark);
  printCheck(`at most ${mark} MiB; service + children: ${parts}`, sumMib <= mark);
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
