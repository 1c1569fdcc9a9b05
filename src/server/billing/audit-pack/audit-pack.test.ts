import { execFile } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { claimGeneration } from '#server/generations/generation-lease.ts';
import { settleSucceeded } from '#server/generations/settle-generation.ts';
import { createScriptedEngine } from '#server/generations/testing/scripted-engine.ts';
import { readZip, type ZippedFile } from '#server/library/testing/read-zip.ts';
import { createTestClock } from '#server/testing/test-clock.ts';
import { createTestService, type TestService } from '#server/testing/test-service.ts';

const run = promisify(execFile);
const DAY_MS = 86_400_000;
let service: TestService;
let files: ZippedFile[];
let folder: string | undefined;

/** A charge, a refund and a change of a key in each of two months. */
beforeAll(async () => {
  service = await createTestService({ engines: [createScriptedEngine()], clock: createTestClock() });
  await work();
  service.deps.clock.advance(31 * DAY_MS);
  await work();
  files = await download(thisMonth(), thisMonth());
});
afterAll(() => service.close());
afterEach(async () => {
  if (folder) await rm(folder, { recursive: true });
  folder = undefined;
});

const thisMonth = () => service.deps.clock.now().toISOString().slice(0, 7);

async function work(): Promise<void> {
  const body = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'x' } };
  const { id } = (await service.call('create_generation', { body })).body;
  const lease = await claimGeneration(service.deps, id);
  if (lease) await settleSucceeded(service.deps, lease, { outputs: [], data: null, lengths: {} });
  const refund = { generation_id: id, reason: '=Blurred, “twice”', amount_usd: '0.01' };
  await service.call('create_refund', { body: refund });
  await service.call('create_api_key', { body: { name: 'Überprüfung 😀', kind: 'member' } });
}

async function download(from: string, to: string): Promise<ZippedFile[]> {
  const url = `/v1/audit-packs?from=${from}&to=${to}`;
  const authorization = `Bearer ${service.keys.organization}`;
  const { statusCode, headers, rawPayload } = await service.app.inject({ url, headers: { authorization } });
  expect([statusCode, headers['content-type']]).toEqual([200, 'application/zip']);
  return readZip(rawPayload);
}

async function unpack(): Promise<string> {
  folder = await mkdtemp(join(tmpdir(), 'audit-pack-'));
  for (const { name, bytes } of files) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), bytes);
  }
  return folder;
}
const verify = () => run(process.execPath, ['verify.mjs'], { cwd: folder });
const textOf = (name: string) => files.find((file) => file.name === name)?.bytes.toString() ?? '';

describe('an audit pack', () => {
  it('holds the documents of the period, and a statement as PDF', async () => {
    const month = thisMonth();
    expect(files.map(({ name }) => name)).toEqual([
      'README.txt',
      'verify.mjs',
      'pack.json',
      'ledger.csv',
      'ledger.jsonl',
      'refunds.csv',
      `statements/${month}.csv`,
      `statements/${month}.pdf`,
      'price-books.json',
      'audit-log.jsonl',
      'verification.json',
      'checksums.sha256',
    ]);
    expect(textOf(`statements/${month}.pdf`)).toMatch(/^%PDF-/);
    expect(textOf('refunds.csv').split('\r\n')).toHaveLength(3);
    expect(textOf('ledger.jsonl').trimEnd().split('\n')).toHaveLength(4);
    expect(JSON.parse(textOf('verification.json'))).toMatchObject({ ok: true });
    expect(JSON.parse(textOf('price-books.json'))).toHaveLength(1);
  });

  it('verifies itself without the service, from the middle of the chains', async () => {
    await unpack();
    const { stdout } = await verify();
    const { head } = (await service.call('get_verification')).body;
    expect(stdout).toContain(`Ledger: 4 entries are right. Head ${head?.seq}:${head?.hash}\n`);
    expect(stdout).toMatch(/Audit log: \d+ events are right\. Head \d+:[0-9a-f]{64}\n/);
  });

  it.each([
    ['ledger.jsonl', (text: string) => text.replace('Blurred', 'Sharp'), /ledger\.jsonl: number \d+ was changed/],
    ['audit-log.jsonl', (text: string) => text.replace('Über', 'Unter'), /audit-log\.jsonl: number \d+ was changed/],
    ['ledger.jsonl', (text: string) => text.split('\n').slice(1).join('\n'), /ledger\.jsonl: number \d+ is missing/],
    ['ledger.jsonl', (text: string) => text.split('\n').slice(0, -2).join('\n'), /its end is missing|does not match/],
    [
      'pack.json',
      (text: string) => text.replace('"amount_usd": "0.01"', '"amount_usd": "0.02"'),
      /REFUND does not match/,
    ],
  ] as const)('finds a change of %s even where its checksum was changed too', async (name, change, message) => {
    const folder = await unpack();
    const changed = change(await readFile(join(folder, name), 'utf8'));
    await writeFile(join(folder, name), changed);
    await expect(verify()).rejects.toThrow(`${name} was changed.`);
    const sums = (await readFile(join(folder, 'checksums.sha256'), 'utf8')).split('\n');
    await writeFile(join(folder, 'checksums.sha256'), sums.filter((line) => !line.endsWith(`  ${name}`)).join('\n'));
    await expect(verify()).rejects.toThrow(message);
  });

  it('finds a change of any other file by its checksum', async () => {
    const folder = await unpack();
    await appendFile(join(folder, 'refunds.csv'), 'x');
    await expect(verify()).rejects.toThrow('refunds.csv was changed.');
  });

  it('covers several months from the beginning', async () => {
    const first = new Date(service.deps.clock.now().getTime() - 31 * DAY_MS).toISOString().slice(0, 7);
    files = await download(first, thisMonth());
    await unpack();
    expect((await verify()).stdout).toContain('Statements: 2 match the entries.');
  });
});

it('rejects a period that is empty or too long', async () => {
  for (const [from, to] of [
    ['2026-03', '2026-02'],
    ['2026-01', '2028-01'],
  ] as const) {
    const { error } = await service.callError('export_audit_pack', { query: { from, to } });
    expect(error.details?.[0]?.path).toBe('to');
  }
});
