import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres } from '#server/app/testing/test-postgres.ts';
import { sharedPostgres } from '#server/app/testing/shared-postgres.ts';
import { createTestCertificate } from '#server/platform/net/testing/tls-fixture.ts';
import { openPostgres } from './open-database.ts';

const log = pino({ level: 'silent' });
const plain = await sharedPostgres();
const certificate = createTestCertificate(['localhost', '127.0.0.1']);
const secure = plain && (await startPostgres(certificate));

const open = async (url: string): Promise<string> => {
  try {
    const database = await openPostgres(url, log);
    await database.close();
    return 'opened';
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return error.name === 'ConfigError' ? error.message : String(error.stack);
  }
};

describe.skipIf(!plain)('a database that can’t be used (needs PostgreSQL)', () => {
  let url: string;
  beforeAll(async () => {
    url = (await plain?.createEmptyDatabase()) ?? '';
  });
  const at = (change: (url: URL) => void): string => {
    const changed = new URL(url);
    change(changed);
    return changed.href;
  };

  it.each<[string, (url: URL) => void, string | RegExp]>([
    [
      'does not exist',
      (each) => (each.pathname = '/nodb'),
      'DATABASE_URL: database "nodb" does not exist. Create it, or correct the name.',
    ],
    [
      'has no such role',
      (each) => (each.username = 'nobody'),
      'The server at DATABASE_URL refuses to sign in: role "nobody" does not exist.',
    ],
    ['has no server', (each) => (each.port = '1'), 'The database at DATABASE_URL does not respond.'],
    [
      'has an unknown host',
      (each) => (each.hostname = 'nosuchhost.invalid'),
      /^The .* DATABASE_URL (?:is unknown|does not respond)\.$/,
    ],
    [
      'has no TLS',
      (each) => (each.search = '?sslmode=require'),
      'The server at DATABASE_URL has no TLS: remove sslmode from the URL.',
    ],
    [
      'names a file that is missing',
      (each) => (each.search = '?sslmode=verify-full&sslrootcert=/none.pem'),
      /^A file or socket named in DATABASE_URL does not exist: .*\/none\.pem/,
    ],
    [
      'has no certificate to verify',
      (each) => (each.search = '?sslmode=verify-ca'),
      'DATABASE_URL: sslmode=verify-ca requires sslrootcert.',
    ],
  ])('is refused with one sentence if it %s', async (_name, change, sentence) => {
    expect(await open(at(change))).toMatch(sentence);
  });

  it('is refused without showing a password that is no part of a URL', async () => {
    const sentence = await open('postgres://user:sec%ret[@host:port/x');
    expect(sentence).toMatch(/^DATABASE_URL is not a URL such as /);
    expect(sentence).not.toContain('ret[');
  });

  it('is refused if it has another encoding, or the role may not create tables', async () => {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(`create database ascii encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C' template template0`);
    await client.query('create role guest login');
    await client.end();
    expect(await open(at((each) => (each.pathname = '/ascii')))).toBe(
      'The database at DATABASE_URL has the encoding SQL_ASCII: create one with UTF8.',
    );
    expect(await open(at((each) => (each.username = 'guest')))).toMatch(
      /^The role in DATABASE_URL lacks a permission: permission denied for /,
    );
  });
});

describe.skipIf(!secure)('a server that requires TLS (needs PostgreSQL)', () => {
  if (!secure) return;
  let folder: string;
  let url: URL;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'emulsion-tls-'));
    await writeFile(join(folder, 'ca.pem'), certificate.cert);
    await writeFile(join(folder, 'other.pem'), createTestCertificate(['localhost']).cert);
    const created = await secure.createDatabase();
    const client = new Client({ connectionString: created });
    await client.connect();
    await client.query(`create role with_password login superuser password 'right'`);
    await client.end();
    url = new URL(created);
  });
  afterAll(async () => {
    await secure.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const openWith = (search: string, [user = 'postgres', password = ''] = ['postgres']) => {
    const changed = new URL(url);
    [changed.search, changed.username, changed.password] = [search.replaceAll('DIR', folder), user, password];
    return open(changed.href);
  };

  it.each([
    '?sslmode=require',
    '?sslmode=verify-full&sslrootcert=DIR/ca.pem',
    '?sslmode=verify-ca&sslrootcert=DIR/ca.pem',
  ])('opens with %s', async (search) => expect(await openWith(search)).toBe('opened'));

  it('is refused with one sentence without TLS, or with a certificate that is not trusted', async () => {
    expect(await openWith('')).toMatch(
      /^The server at DATABASE_URL refuses to sign in: .* Add sslmode=require to the URL\.$/,
    );
    for (const search of [
      '?sslmode=verify-full',
      '?sslmode=verify-full&sslrootcert=DIR/other.pem',
      '?sslmode=require&sslrootcert=DIR/other.pem',
    ])
      expect(await openWith(search)).toMatch(
        /^The TLS certificate of the server at DATABASE_URL is not accepted: .* Name its authority in sslrootcert\.$/,
      );
  });

  it('is refused with one sentence if the password is wrong or missing', async () => {
    const search = '?sslmode=require';
    expect(await openWith(search, ['with_password', 'right'])).toBe('opened');
    expect(await openWith(search, ['with_password', 'wrong'])).toBe(
      'The user name or password in DATABASE_URL is wrong.',
    );
    expect(await openWith(search, ['with_password'])).toBe(
      'DATABASE_URL has no password, and the server asks for one.',
    );
  });
});
