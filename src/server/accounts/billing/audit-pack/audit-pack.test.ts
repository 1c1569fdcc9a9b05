import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { claimGeneration } from '#server/studio/generations/generation-lease.ts';
import { settleSucceeded } from '#server/studio/generations/settle-generation.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { markSubmitting } from '#server/studio/generations/upstream/upstream-job.ts';
import { providerBills } from '#server/platform/db/schema/closing-schema.ts';
import { readZip, type ZippedFile } from '#server/studio/library/testing/read-zip.ts';
import { createTestClock } from '#server/app/testing/test-clock.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';

const DAY_MS = 86_400_000;
let service: TestService;
let files: ZippedFile[];
let folder: string | undefined;

/** A charge, a refund and a change of a key in each of two months. */
beforeAll(async () => {
  service = await createTestService({ engines: [createScriptedEngine()], clock: createTestClock() });
  const tag = { label: 'Client', required: false, values: null };
  await service.call('set_tag', { params: { tag_name: 'client' }, body: tag });
  await work();
  await settleBill();
  service.deps.clock.advance(31 * DAY_MS);
  await service.call('close_month', { params: { month: lastMonth() } });
  await work();
  await settleBill();
  files = await download(thisMonth(), thisMonth());
});
afterAll(() => service.close());
afterEach(async () => {
  if (folder) await rm(folder, { recursive: true });
  folder = undefined;
});

const thisMonth = () => service.deps.clock.now().toISOString().slice(0, 7);
const lastMonth = () => new Date(service.deps.clock.now().getTime() - 31 * DAY_MS).toISOString().slice(0, 7);

/** A bill of this month with a request that nobody made here. */
async function settleBill(): Promise<void> {
  const month = thisMonth();
  const query = { provider_id: 'file:painter', month, filename: `${month}.csv` };
  const file = Buffer.from(`Date,Request ID,Cost\n${month}-02,unknown,1.5\n${month}-03,,-0.25\n`);
  await service.call('create_provider_bill', { query, file });
  const settlement = { month, provider_id: 'file:painter', action: 'book_cost', note: 'A test' } as const;
  await service.call('settle_findings', { body: { ...settlement, kind: 'theirs_only' } });
}

async function work(): Promise<void> {
  const metadata = { client: 'acme', po: 'PO-4471' };
  const body = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'x' }, metadata };
  const { id } = (await service.call('create_generation', { body })).body;
  const lease = await claimGeneration(service.deps, id);
  if (!lease) throw new Error('No lease.');
  await markSubmitting(service.deps, lease, { name: 'painter' }, {});
  const cost = { cost_micro_usd: 4_745n, cost_basis: 'reported', handle: undefined } as const;
  await settleSucceeded(service.deps, lease, { outputs: [], data: null, lengths: {} }, cost);
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
/** As `node verify.mjs` does, in a thread, which starts sooner. @throws what it printed if it fails */
async function verify(): Promise<string> {
  const thread = new Worker(join(folder ?? '', 'verify.mjs'), { stdout: true, stderr: true });
  const ended = Promise.all([readText(thread.stdout), readText(thread.stderr), once(thread, 'exit')]);
  const [stdout, stderr, [code]] = await ended;
  if (code !== 0) throw new Error(stderr, { cause: code });
  return stdout;
}
/** Changes what a reader would look at, or else any byte. */
function change(name: string, bytes: Buffer): Buffer {
  const text = bytes.toString();
  // A changed program could say anything.
  if (name.endsWith('.pdf') || name === 'verify.mjs') return Buffer.concat([bytes, Buffer.from('\n')]);
  return Buffer.from(text.replace(/[1-9](?=[^1-9]*$)/, (digit) => String(Number(digit) - 1)));
}
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
      'closing.jsonl',
      'corrections.jsonl',
      'bills.jsonl',
      'bill-lines.jsonl',
      'findings.jsonl',
      expect.stringMatching(/^bills\/bil_\w+\.csv$/),
      `statements/${month}.csv`,
      `statements/${month}.pdf`,
      `focus/${month}-charges.csv`,
      `focus/${month}-costs.csv`,
      'price-books.json',
      'audit-log.jsonl',
      'verification.json',
      'checksums.sha256',
      'seal.json',
    ]);
    expect(textOf(`statements/${month}.pdf`)).toMatch(/^%PDF-/);
    expect(textOf('refunds.csv').split('\r\n')).toHaveLength(3);
    expect(textOf('ledger.jsonl').trimEnd().split('\n')).toHaveLength(4);
    expect(JSON.parse(textOf('verification.json'))).toMatchObject({ ok: true });
    expect(JSON.parse(textOf('price-books.json'))).toHaveLength(1);
  });

  it('verifies itself without the service, from the middle of the chains, and says what it does not prove', async () => {
    await unpack();
    const { stdout } = await promisify(execFile)(process.execPath, ['verify.mjs'], { cwd: folder });
    const { head } = (await service.call('get_verification')).body;
    expect(stdout).toContain(`Ledger: 4 entries. Head ${head?.seq}:${head?.hash}\n`);
    expect(stdout).toMatch(/Audit log: \d+ events\. Head \d+:[0-9a-f]{64}\n/);
    const [recomputed = '', sealed = '', unproven = ''] = stdout.split(/^(?=Not )/m);
    const month = thisMonth();
    for (const name of [
      'ledger.csv',
      'ledger.jsonl',
      'refunds.csv',
      `statements/${month}.csv`,
      `focus/${month}-charges.csv`,
      'closing.jsonl',
      'corrections.jsonl',
      'bills/bil_',
      'bill-lines.jsonl',
      'findings.jsonl',
    ])
      expect(recomputed).toContain(name);
    expect(stdout).not.toMatch(/\bright\b/);
    for (const name of [`statements/${month}.pdf`, 'price-books.json', 'verification.json', 'README.txt'])
      expect([recomputed.includes(name), unproven.includes(name)]).toEqual([false, true]);
    const { data } = (await service.call('list_audit_events', { query: { action: 'export.sealed' } })).body;
    expect(sealed).toContain(`Event ${data[0]?.seq}:${data[0]?.hash}\n`);
  });

  it('names every file that was changed, with its line in the checksums changed too', async () => {
    const folder = await unpack();
    const sums = textOf('checksums.sha256');
    for (const { name, bytes } of files) {
      const doctored = change(name, bytes);
      expect(doctored.equals(bytes), name).toBe(false);
      await writeFile(join(folder, name), doctored);
      const line = `${createHash('sha256').update(doctored).digest('hex')}  ${name}`;
      const lines = sums.split('\n').map((before) => (before.endsWith(`  ${name}`) ? line : before));
      if (name !== 'checksums.sha256') await writeFile(join(folder, 'checksums.sha256'), lines.join('\n'));
      await expect(verify(), name).rejects.toThrow(`\n${name}: `);
      await writeFile(join(folder, name), bytes);
      await writeFile(join(folder, 'checksums.sha256'), sums);
    }
    await expect(verify()).resolves.toBeDefined();
  });

  it.each([
    ['ledger.jsonl', (text: string) => text.replace('Blurred', 'Sharp'), /ledger\.jsonl: number \d+ was changed/],
    ['audit-log.jsonl', (text: string) => text.replace('Über', 'Unter'), /audit-log\.jsonl: number \d+ was changed/],
    ['ledger.jsonl', (text: string) => text.split('\n').slice(1).join('\n'), /ledger\.jsonl: number \d+ is missing/],
    ['ledger.jsonl', (text: string) => text.split('\n').slice(0, -2).join('\n'), /ledger\.jsonl: its end is missing/],
    [
      'ledger.csv',
      (text: string) => text.replace(',-0.03,', ',-9.03,'),
      /ledger\.csv: number \d+ has another amount_usd/,
    ],
    ['ledger.csv', (text: string) => text.replace(/[^\n]*\n$/, ''), /ledger\.csv: number \d+ is missing/],
    ['ledger.csv', (text: string) => text.replace(/([^\n]*\n)$/, '$1$1'), /ledger\.csv: there are more records/],
    [
      'ledger.csv',
      (text: string) => text.replaceAll(',"acme",', ',"beta",'),
      /pack\.json: .* by tag:client does not match/,
    ],
    [
      'ledger.csv',
      (text: string) => text.replace(',0.004745,', ',0.001,'),
      /ledger\.csv: number \d+ has a wrong margin/,
    ],
    ['refunds.csv', (text: string) => text.replace('Blurred', 'Sharp'), /refunds\.csv: record 2 differs/],
    [
      'statements.csv',
      (text: string) => text.replace('"SETTLE",-0.03', '"SETTLE",-0.05'),
      /statements\/.*: record \d+ differs/,
    ],
    [
      'statements.csv',
      (text: string) => text.replace('cost",0.004745', 'cost",0.003745'),
      /statements\/.*: record \d+ differs/,
    ],
    [
      'statements.csv',
      (text: string) => text.replace(/"acme",0.02/, '"acme",0.03'),
      /statements\/.*: record \d+ differs/,
    ],
    [
      'focus.csv',
      (text: string) => text.replace(',0.03,', ',0.04,').replace(',0.03,', ',0.04,'),
      /focus\/.*-charges\.csv: number \d+ is missing, or has another cost/,
    ],
    [
      'focus.csv',
      (text: string) => text.replace(/[^\n]*\n$/, ''),
      /focus\/.*-charges\.csv: number \d+ is missing, or has another cost/,
    ],
    ['closing.jsonl', (text: string) => text.replace('A test', 'A gift'), /closing\.jsonl: number 1 was changed/],
    ['closing.jsonl', (text: string) => text.split('\n').slice(0, -2).join('\n'), /closing\.jsonl: its end is missing/],
    ['corrections.jsonl', (text: string) => text.replace('1500000000', '1400000000'), /corrections\.jsonl: the corr/],
    ['corrections.jsonl', (text: string) => text.replace(/[^\n]*\n/, ''), /corrections\.jsonl: the corr/],
    [
      'corrections.jsonl',
      (text: string) => text.replace('1500000000', '1400000000'),
      /statements\/.*: record \d+ differs/,
    ],
    ['bill-lines.jsonl', (text: string) => text.replace('1.50', '1.60'), /bill-lines\.jsonl: the lines of bil_/],
    [
      'bills.jsonl',
      (text: string) => text.replace(/"sha256":"./, '"sha256":"x'),
      /bills\.jsonl: bills\/.* is not the file/,
    ],
    [
      'findings.jsonl',
      (text: string) => text.replace('"1.50"', '"1.40"'),
      /findings\.jsonl: fnd_\w+ is not bill less cost/,
    ],
    ['price-books.json', (text: string) => text.replace('"0.03"', '"0.01"'), /statements\/.*: record \d+ differs/],
    ['pack.json', (text: string) => text.replace('"0.01"', '"0.02"'), /pack\.json: .* REFUND does not match/],
    [
      'verification.json',
      (text: string) => text.replace('"ok": true', '"ok": false'),
      /verification\.json: Emulsion itself/,
    ],
  ] as const)('finds a change of %s by the chains, not only by its checksum (%#)', async (alias, change, message) => {
    const inFolders: Record<string, string> = {
      'statements.csv': `statements/${thisMonth()}.csv`,
      'focus.csv': `focus/${thisMonth()}-charges.csv`,
    };
    const name = inFolders[alias] ?? alias;
    const folder = await unpack();
    const changed = change(textOf(name));
    expect(changed).not.toBe(textOf(name));
    await writeFile(join(folder, name), changed);
    await expect(verify()).rejects.toThrow(message);
  });

  it('names a file that is missing, and one that it does not know', async () => {
    const folder = await unpack();
    await rm(join(folder, `statements/${thisMonth()}.pdf`));
    await writeFile(join(folder, 'statements/2020-01.csv'), 'x');
    const failure = expect(verify()).rejects;
    await failure.toThrow(`statements/${thisMonth()}.pdf: is missing.`);
    await expect(verify()).rejects.toThrow('statements/2020-01.csv: is not part of this pack.');
  });

  it('says in a sentence which file is missing or can’t be read, whichever it is', async () => {
    const folder = await unpack();
    for (const { name, bytes } of files.filter((file) => file.name !== 'verify.mjs')) {
      for (const content of name.endsWith('.json') ? [null, '', 'null', '{}', '[]'] : [null]) {
        if (content === null) await rm(join(folder, name));
        else await writeFile(join(folder, name), content);
        const { message, cause } = await verify().then(
          () => ({ message: '', cause: 0 }),
          (error: Error) => error,
        );
        expect({ name, content, cause, message }).toMatchObject({
          cause: 1,
          message: expect.stringContaining(`\n${name}: `),
        });
        expect(message).not.toMatch(/\n\s+at |undefined\n/);
      }
      await writeFile(join(folder, name), bytes);
    }
    await writeFile(join(folder, 'verification.json'), '{"ok":false,"problem":null}');
    await expect(verify()).rejects.toThrow('Emulsion itself found: a problem, but it does not say which.');
  });

  it('covers several months from the beginning', async () => {
    const first = new Date(service.deps.clock.now().getTime() - 31 * DAY_MS).toISOString().slice(0, 7);
    files = await download(first, thisMonth());
    await unpack();
    expect(await verify()).toContain('Ledger: 9 entries.');
    for (const [name, from, to, message] of [
      ['bills.jsonl', '"amount_usd":"1.25"', '"amount_usd":"1.24"', /bills\.jsonl: .* was closed with other bills/],
      ['findings.jsonl', '"theirs_only"', '"ours_only"', /findings\.jsonl: .*theirs_only differs from what was closed/],
    ] as const) {
      const path = join(folder ?? '', name);
      await writeFile(path, textOf(name).replace(from, to));
      await expect(verify()).rejects.toThrow(message);
      await writeFile(path, textOf(name));
    }
  });

  it('lacks the file of a bill that storage has lost, and says so', async () => {
    const { storage, db } = service.deps;
    for (const { storage_key } of await db.select().from(providerBills)) await storage.delete(storage_key);
    files = await download(thisMonth(), thisMonth());
    await unpack();
    await expect(verify()).rejects.toThrow(/bills\.jsonl: bills\/bil_\w+\.csv is missing: the service had lost it\./);
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
