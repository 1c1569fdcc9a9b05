import { open, readdir, readFile, rm, stat, truncate, writeFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Generation } from '#contract/resources/generation.ts';
import type { Close } from '#contract/resources/closing.ts';
import type { Verification } from '#contract/resources/audit.ts';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import type { AddedModel, ModelInspection } from '#contract/resources/added-model.ts';
import { runAdminCommand as admin } from '#server/app/testing/run-admin-command.ts';
import { prepareServiceProcess, type ServiceProcess } from '#server/app/testing/service-process.ts';
import { sharedPostgres } from '#server/app/testing/shared-postgres.ts';
import { type FakeUpstreamServer, startFakeUpstream } from '#server/models/engine/testing/fake-upstream-server.ts';
import { createFakeFalHandler } from '#server/models/providers/fal/testing/fake-fal-server.ts';
import { lastMonth } from './testing/last-month.ts';
import { verifyBackup } from './read-backup.ts';

const SECRET_KEY = 'the secret key of the first machine';
const ORDER = { task: 'image.create', model: 'imgmodel-b-2-lite', input: { prompt: 'a "light\\house"\n\tat dusk' } };
const RUN = {
  starter_slug: 'ideas-to-pictures',
  input: { topic: 'street food', style: 'bright', ideas: 2 },
};
const MONTH = lastMonth(new Date());
const BILL = `Date,Model,Cost\n${MONTH}-03,"A ""model""",1.25\n${MONTH}-04,Another,0.0000003\n`;
const postgres = await sharedPostgres();

const FAL_KEY = 'fal-id-0123456789:fal-secret';

let folder: string;
let fal: FakeUpstreamServer;
let first: ServiceProcess;
let second: ServiceProcess;
let link = '';
let image: Buffer;
let run: WorkflowRun;
let added: AddedModel;
let closed: Close;
let created: Generation[] = [];
const backupFile = () => join(folder, 'backup.tar');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'emulsion-backup-'));
  [first, second] = [await prepareServiceProcess(), await prepareServiceProcess()];
  await rm(join(second.dataDir, 'database'), { recursive: true });
  fal = await startFakeUpstream(FAL_KEY, (upstream) => createFakeFalHandler(upstream));
  await first.start(null, {
    SECRET_KEY,
    MEDIA_LINK_TTL_SECONDS: '3600',
    ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8',
  });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await Promise.all([first.remove(), second.remove(), fal.close(), rm(folder, { recursive: true, force: true })]);
});

const firstMachine = () => ({ DATA_DIR: first.dataDir, SECRET_KEY });
const secondMachine = () => ({ DATA_DIR: second.dataDir, SECRET_KEY });

async function addModel(): Promise<AddedModel> {
  const models = [{ task: 'image.create', model: 'imgmodel-b-2' }];
  const provider = { provider: 'fal', key: FAL_KEY, address: fal.base_url, models };
  const { id: provider_id } = await first.post<{ id: string }>('/v1/providers', provider);
  const source = { provider_id, address: 'acme/speech' };
  const { hash, name, suggested } = await first.post<ModelInspection>('/v1/added-models/inspect', source);
  return first.post<AddedModel>('/v1/added-models', { ...source, hash, name, ...suggested });
}

/** Sets a logo, and answers on a share page as a client. */
async function addLogoAndAnswer(media_id: string): Promise<void> {
  const picture = await sharp({ create: { width: 64, height: 32, channels: 3, background: '#c47f17' } })
    .png()
    .toBuffer();
  const headers = { authorization: `Bearer ${first.key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ image: picture.toString('base64') });
  expect((await fetch(first.url('/v1/settings/logo'), { method: 'PUT', headers, body })).status).toBe(200);
  const share = await first.post<{ url: string }>('/v1/shares', { media_id, asks_for: 'approval' });
  const page = first.url(pathOf(share.url));
  const send = (fields: Record<string, string>, cookie = '') =>
    fetch(page, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams(fields),
    });
  const cookie = (await send({ do: 'enter', name: 'Ana', code: '' })).headers.get('set-cookie')?.split(';')[0] ?? '';
  const [, item = ''] =
    /name="item" value="([^"]+)"/.exec(await (await fetch(page, { headers: { cookie } })).text()) ?? [];
  expect((await send({ do: 'approved', comment: 'Lovely', item, at: '0', page: '1' }, cookie)).status).toBe(303);
}
/** Adds a bill of the last month, settles its lines and closes the month. */
async function closeMonth(): Promise<void> {
  const headers = { authorization: `Bearer ${first.key}` };
  const path = `/v1/billing/bills?provider_id=file:any&month=${MONTH}&filename=bill.csv`;
  expect((await fetch(first.url(path), { method: 'POST', headers, body: BILL })).status).toBe(201);
  const finding = { month: MONTH, provider_id: 'file:any', kind: 'theirs_only' };
  await first.post('/v1/billing/close/settlements', { ...finding, action: 'book_cost', note: 'The console' });
  closed = await first.post<Close>(`/v1/billing/close/${MONTH}/close`);
}

/** The closed month and the file of its bill are as they were. */
async function expectClosed(service: ServiceProcess): Promise<void> {
  expect(await service.get(`/v1/billing/close?month=${MONTH}`)).toEqual(closed);
  const { data } = await service.get<{ data: { id: string }[] }>(`/v1/billing/bills?month=${MONTH}`);
  const headers = { authorization: `Bearer ${service.key}` };
  const file = await fetch(service.url(`/v1/billing/bills/${data[0]?.id}/file`), { headers });
  expect(await file.text()).toBe(BILL);
}

/** What is in few rows, and in tables that other tests do not fill. */
const FEW_ROWS = {
  signing_certificates: 1,
  share_answers: 1,
  organization_logos: 1,
  added_models: 1,
  added_model_versions: 1,
  provider_bills: 1,
  provider_bill_lines: 2,
  closing_findings: 2,
  closing_matches: 1,
  closing_corrections: 2,
  closing_entries: 2,
  closing_heads: 1,
};
const rowsOf = async (file: string): Promise<Record<string, number>> => {
  const { tables } = await verifyBackup(file);
  return Object.fromEntries(tables.map(({ name, rows }) => [name, rows]));
};

const readGeneration = (service: ServiceProcess, { id }: Generation) =>
  service.get<Generation>(`/v1/generations/${id}`);

async function orderUntil(done: Promise<unknown>): Promise<Generation[]> {
  const state = { is_done: false };
  const stop = () => (state.is_done = true);
  void done.then(stop, stop);
  const orders: Generation[] = [];
  while (!state.is_done) orders.push(await first.post<Generation>('/v1/generations', ORDER));
  return orders;
}

describe('a backup of the embedded database', () => {
  it('is written while the service works', async () => {
    let made = await first.post<Generation>('/v1/generations', ORDER);
    await expect.poll(async () => (await readGeneration(first, made)).status, { interval: 200 }).toBe('succeeded');
    made = await readGeneration(first, made);
    link = made.output.assets[0]?.url ?? '';
    image = Buffer.from(await (await fetch(first.url(pathOf(link)))).arrayBuffer());
    await addLogoAndAnswer(made.output.assets[0]?.id ?? '');
    added = await addModel();
    await closeMonth();
    run = await first.post<WorkflowRun>('/v1/workflow-runs', RUN);
    created = [made];
    for (let count = 0; count < 5; count += 1) created.push(await first.post<Generation>('/v1/generations', ORDER));
    const backup = admin(firstMachine(), 'backup', backupFile(), '--media');
    expect((await orderUntil(backup)).length).toBeGreaterThan(0);
    expect(await backup).toMatch(
      /is written and verified: \d+ rows of \d+ tables\.\nLedger of Studio: head \d+:\w{64}\n/,
    );
    expect((await stat(backupFile())).mode & 0o077).toBe(0);
    await expect(admin(firstMachine(), 'backup', backupFile())).rejects.toThrow('exists already');
    expect(await readdir(folder)).toEqual(['backup.tar']);
    expect((await readFile(backupFile())).includes(SECRET_KEY)).toBe(false);
    expect(await rowsOf(backupFile())).toMatchObject(FEW_ROWS);
    expect(await admin(firstMachine(), 'check')).toBe('Nothing is missing.');
    await first.stop('SIGKILL');
  });

  it('is rejected when it was cut or changed, and nothing is created', async () => {
    const copy = join(folder, 'copy.tar');
    const bytes = await readFile(backupFile());
    const rejects = async (message: RegExp) => {
      await expect(admin(secondMachine(), 'restore', copy)).rejects.toThrow(message);
      expect(await readdir(second.dataDir)).not.toContain('database');
    };
    await writeFile(copy, bytes);
    await truncate(copy, Math.floor(bytes.length / 2));
    await rejects(/is not a complete backup/);
    await truncate(copy, 512);
    await rejects(/is not a complete backup/);
    await writeFile(copy, bytes);
    const file = await open(copy, 'r+');
    await file.write('X', bytes.indexOf('objects/outputs/') + 10_000);
    await file.close();
    await rejects(/was changed: its entry objects\/outputs/);
    await rm(copy);
  });

  it('works on an empty machine: the ledger verifies, links work, orders and runs go on', async () => {
    expect(await admin(secondMachine(), 'restore', backupFile())).toMatch(
      /rows are restored\.\nLedger of .*, verified$/,
    );
    await expect(admin(secondMachine(), 'restore', backupFile())).rejects.toThrow('has a database already');
    await second.start(null, { SECRET_KEY });
    expect(await second.get<Verification>('/v1/billing/verification')).toMatchObject({ ok: true });
    const response = await fetch(second.url(pathOf(link)));
    expect([response.status, Buffer.from(await response.arrayBuffer()).equals(image)]).toEqual([200, true]);
    const answers = await second.get<{ data: unknown[] }>('/v1/share-answers');
    expect(answers.data).toMatchObject([{ client_name: 'Ana', verdict: 'approved', comment: 'Lovely' }]);
    expect((await second.get<{ image: string }>('/v1/settings/logo')).image).toMatch(/^data:image\/webp;base64,/);
    expect(await second.get<AddedModel>(`/v1/added-models/${added.id}`)).toEqual(added);
    for (const generation of created)
      await expect
        .poll(async () => (await readGeneration(second, generation)).status, { interval: 200 })
        .toBe('succeeded');
    await expect
      .poll(async () => (await second.get<WorkflowRun>(`/v1/workflow-runs/${run.id}`)).status, {
        interval: 200,
      })
      .toBe('succeeded');
    await expectClosed(second);
    const events = await second.get<{ data: { action: string }[] }>('/v1/audit-events?action=installation.restored');
    expect(events.data).toHaveLength(1);
    await second.stop('SIGTERM');
  });

  it('lists media without their files unless asked, and the restore names them as missing', async () => {
    const listed = join(folder, 'listed.tar');
    expect(await admin(secondMachine(), 'backup', listed)).toContain('It lists');
    // Its certificate signs on, instead of a new one.
    expect(await rowsOf(listed)).toMatchObject(FEW_ROWS);
    const third = await mkdtemp(join(folder, 'third-'));
    const wrongKey = { DATA_DIR: third, SECRET_KEY: 'the secret key of another machine' };
    await expect(admin(wrongKey, 'restore', listed)).rejects.toThrow(
      /^SECRET_KEY is not the key of the backup: .*\n.*decrypts none of its 3 stored secrets\..*\n\d+ of \d+ files are missing: \S+/,
    );
    await expect(admin(wrongKey, 'check')).rejects.toThrow(/files are missing/);
  });
});

describe.skipIf(!postgres)('PostgreSQL (needs PostgreSQL)', () => {
  let url = '';

  it('gets the rows of the embedded database, which stays as it is', async () => {
    url = (await postgres?.createEmptyDatabase()) ?? '';
    await first.start(null, { SECRET_KEY });
    await expect(admin(firstMachine(), 'move-to-postgres', url)).rejects.toThrow('Another Emulsion process uses');
    await first.stop('SIGTERM');
    await admin(firstMachine(), 'backup', join(folder, 'before.tar'));
    await expect(admin(firstMachine(), 'move-to-postgres', 'mysql://x')).rejects.toThrow('Enter the URL');
    expect(await admin(firstMachine(), 'move-to-postgres', url)).toMatch(
      /^\d+ rows are copied\. The embedded database is unchanged\.\nLedger of Studio: head \d+:\w{64}, verified\nSet DATABASE_URL/,
    );
    await expect(admin(firstMachine(), 'move-to-postgres', url)).rejects.toThrow(
      'The database is not empty, and nothing in it was changed.',
    );
    await admin(firstMachine(), 'backup', join(folder, 'after.tar'));
    expect(await rowsOf(join(folder, 'after.tar'))).toEqual(await rowsOf(join(folder, 'before.tar')));
    expect(await rowsOf(join(folder, 'after.tar'))).toMatchObject(FEW_ROWS);
  });

  it('is backed up while a service uses it, and restored to another one', async () => {
    const machine = { ...firstMachine(), DATABASE_URL: url };
    await first.start(url, { SECRET_KEY });
    const file = join(folder, 'postgres.tar');
    const backup = admin(machine, 'backup', file);
    const ordered = await orderUntil(backup);
    await backup;
    expect(ordered.length).toBeGreaterThan(0);
    expect(await first.get('/v1/billing/verification')).toMatchObject({ ok: true });
    await expectClosed(first);
    await first.stop('SIGTERM');
    expect(await admin(machine, 'check', '--all')).toBe('Nothing is missing.');
    const { audit_events, ...rows } = await rowsOf(file);
    expect(rows).toMatchObject(FEW_ROWS);
    const other = { ...machine, DATABASE_URL: (await postgres?.createEmptyDatabase()) ?? '' };
    await admin(other, 'restore', file);
    await expect(admin(other, 'restore', file)).rejects.toThrow(
      'The database is not empty, and nothing in it was changed.',
    );
    await admin(other, 'backup', join(folder, 'other.tar'));
    expect(await rowsOf(join(folder, 'other.tar'))).toEqual({ ...rows, audit_events: Number(audit_events) + 1 });
  });
});

const pathOf = (url: string): string => url.replace(/^https?:\/\/[^/]+/, '');
