import { X509Certificate } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sharedPostgres } from '#server/app/testing/shared-postgres.ts';
import { createTestClock, type TestClock } from '#server/app/testing/test-clock.ts';
import { loadPreparedDatabase } from '#server/app/testing/prepared-database.ts';
import { createSecrets } from '#server/platform/core/secrets.ts';
import { signingCertificates } from '#server/platform/db/schema/credential-schema.ts';
import { type Database, openPglite, openPostgres } from '#server/platform/db/open-database.ts';
import { createFetcher, type Fetcher } from '#server/platform/net/fetcher.ts';
import { addCertificate, createSigningAuthority, startSigning } from './create-signing-authority.ts';
import { type FakeTimeStampServer, startFakeTimeStampServer } from '#server/app/testing/fake-time-stamp-server.ts';
import { readPicture, signPicture } from './testing/sign-picture.ts';

const DAY_MS = 86_400_000;
const secrets = createSecrets('a secret of the tests');
const silent = pino({ level: 'silent' });
const postgres = await sharedPostgres();
const urls = postgres ? [null, await postgres.createDatabase()] : [null];

const openDatabase = async (url: string | null): Promise<Database> =>
  url === null ? openPglite({ dump: await loadPreparedDatabase(silent) }, silent) : openPostgres(url, silent);

let lines: { msg: string; level: number }[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
let clock: TestClock;
beforeEach(() => {
  lines = [];
  clock = createTestClock();
});

interface Options {
  ring?: ReturnType<typeof createSecrets>;
  fetcher?: Fetcher;
  timeStampUrl?: string | null;
}

const open = ({ db }: Database, { ring = secrets, fetcher = createFetcher(), timeStampUrl = null }: Options = {}) =>
  createSigningAuthority({ db, clock, secrets: ring, log, fetcher }, { operator: null, timeStampUrl });

describe.each(urls)('a self-made certificate in %s', (url) => {
  let database: Database;
  beforeAll(async () => {
    database = await openDatabase(url);
  });
  afterEach(() => database.db.delete(signingCertificates));
  afterAll(() => database.close());

  it('is made once by processes that start at the same time, and kept', async () => {
    const other = url === null ? database : await openDatabase(url);
    const authorities = [open(database), open(other), open(database), open(other)];
    await Promise.all(authorities.map((signing) => startSigning({ signing, log })));
    expect(await database.db.select().from(signingCertificates)).toHaveLength(1);
    const signers = await Promise.all(authorities.map((signing) => signing.signer()));
    expect(new Set(signers.map(({ expires_at }) => expires_at.getTime())).size).toBe(1);
    expect(signers[0]).toMatchObject({ kind: 'self_made', subject: 'Emulsion', issuer: 'Emulsion installation' });
    expect(lines).toEqual([]);
    if (other !== database) await other.close();
  });

  it('is replaced by a new one, and files signed before are still its own', async () => {
    const signing = open(database);
    const earlier = await signPicture(await signing.signer());
    clock.advance(1000);
    await database.db.transaction((tx) => addCertificate(tx, { clock, secrets }));
    const later = await signPicture(await signing.signer());
    const { anchors } = await signing.trust();
    expect(anchors.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
    expect((await readPicture(earlier, anchors)).state).toBe('Trusted');
    expect((await readPicture(later, anchors)).state).toBe('Trusted');
    const newest = new X509Certificate(anchors.slice(anchors.lastIndexOf('-----BEGIN'))).toString();
    expect((await readPicture(later, newest)).state).toBe('Trusted');
    expect((await readPicture(earlier, newest)).state).toBe('Valid');
  });
});

describe('a self-made certificate', () => {
  let database: Database;
  beforeEach(async () => {
    database = await openDatabase(null);
  });
  afterEach(() => database.close());

  it('that SECRET_KEY does not decrypt is an error that says what to do, and does not stop the start', async () => {
    await open(database).signer();
    const signing = open(database, { ring: createSecrets('another secret of the tests') });
    await expect(signing.signer()).rejects.toThrow(
      /can’t be decrypted with SECRET_KEY: add the earlier key to SECRET_KEYS_OLD, or .* credentials rotate/,
    );
    await startSigning({ signing, log });
    expect(lines).toMatchObject([{ level: 50, msg: 'content credentials can’t be signed' }]);
    expect((await signing.trust()).anchors).toContain('BEGIN CERTIFICATE');
  });

  it('is reported 30 days before its end and after it, once each, and still signs', async () => {
    const signing = open(database);
    const { expires_at } = await signing.signer();
    const leftMs = expires_at.getTime() - clock.now().getTime();
    clock.advance(leftMs - 31 * DAY_MS);
    await signing.signer();
    expect(lines).toEqual([]);
    clock.advance(2 * DAY_MS);
    await signing.signer();
    await signing.signer();
    expect(lines).toMatchObject([{ level: 40, msg: 'the certificate of content credentials ends soon' }]);
    clock.advance(30 * DAY_MS);
    const signer = await signing.signer();
    await signing.signer();
    expect(lines.map(({ msg }) => msg).slice(1)).toEqual(['the certificate of content credentials has ended']);
    expect(await signer.sign(new Uint8Array(10))).toHaveLength(signer.reserve_bytes);
  });
});

describe('a time stamp', () => {
  let database: Database;
  let authority: FakeTimeStampServer;
  beforeAll(async () => {
    [database, authority] = await Promise.all([openDatabase(null), startFakeTimeStampServer()]);
  });
  beforeEach(() => Object.assign(authority, { respond: null, query: null, requests: [] }));
  afterAll(() => Promise.all([database.close(), authority.close()]));
  const openWithStamps = () => open(database, { fetcher: authority.fetcher, timeStampUrl: authority.url });

  it('is requested for the signature, and readers accept it', async () => {
    const signing = openWithStamps();
    expect(signing.time_stamp_host).toBe(new URL(authority.url).host);
    const picture = await signPicture(await signing.signer());
    const report = await readPicture(picture, (await signing.trust()).anchors + authority.root);
    expect(report).toMatchObject({ state: 'Trusted', time: expect.stringMatching(/^20/) });
    expect(report.codes).toEqual(expect.arrayContaining(['timeStamp.validated', 'timeStamp.trusted']));
    expect(authority.requests).toMatchObject([{ type: 'application/timestamp-query' }]);
    expect(lines).toEqual([]);
  });

  it.each<[string, NonNullable<FakeTimeStampServer['respond']>]>([
    ['an error', (response) => response.writeHead(503).end()],
    ['something else', (response) => response.end('<html>')],
    ['too much', (response, reply) => response.end(Buffer.concat([reply, Buffer.alloc(100_000)]))],
    ['a cut response', (response, reply) => response.end(reply.subarray(0, 500))],
    ['a refusal', (response) => response.end(Buffer.from('30053003020102', 'hex'))],
    ['nothing in time', () => undefined],
  ])('is left out if the authority responds with %s, which is logged', async (_name, respond) => {
    const signing = openWithStamps();
    Object.assign(authority, { respond });
    const report = await readPicture(await signPicture(await signing.signer()), (await signing.trust()).anchors);
    expect(report).toMatchObject({ state: 'Trusted', time: null });
    expect(lines).toMatchObject([{ level: 40, msg: 'content credentials are signed without a time stamp' }]);
  });

  it('for another request is left out', async () => {
    const signing = openWithStamps();
    const signer = await signing.signer();
    await signer.sign(new Uint8Array(1));
    Object.assign(authority, { query: authority.requests[0]?.body ?? null });
    await signer.sign(new Uint8Array(1));
    expect(lines).toMatchObject([{ err: { message: 'The time stamp is for something else.' } }]);
  });

  it('ends with the work that needs it', async () => {
    const signer = await openWithStamps().signer();
    Object.assign(authority, { respond: () => undefined });
    await expect(signer.sign(new Uint8Array(1), AbortSignal.timeout(100))).rejects.toThrow(/timeout/);
    expect(lines).toEqual([]);
  });
});
