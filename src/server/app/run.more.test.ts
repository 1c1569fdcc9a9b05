import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { VERSION } from '#server/platform/core/version.ts';
import { openPglite } from '#server/platform/db/open-database.ts';
import { freePort } from './testing/free-port.ts';
import { unpackPreparedDatabase } from './testing/prepared-database.ts';
import { CLI, MAIN, type StartedProgram, useProgram } from './testing/program-fixture.ts';

// Each test starts several processes.
const program = useProgram();
const { start } = program;
let folder: string;
let env: Record<string, string>;
let running: StartedProgram;
beforeAll(async () => {
  folder = program.folder();
  env = program.env();
  running = await program.startService();
});

describe('while the service runs', () => {
  it('rejects a second process and the CLI on its folder with a message', async () => {
    const second = start(MAIN, [], { ...env, PORT: String(await freePort()) });
    const shells = [['funds'], ['migrate', '--plan']].map((args) => start(CLI, args, env));
    for (const { exitCode } of [second, ...shells]) expect(await exitCode).toBe(1);
    for (const { stderr, stdout } of [second, ...shells]) {
      expect(stderr()).toMatch(/^Another Emulsion process uses the data folder .*\. Stop it first\.\n$/);
      expect(stdout()).toBe('');
    }
  });
});

describe('a failed start', () => {
  beforeAll(() => unpackPreparedDatabase(join(folder, 'other', 'database')));

  it('prints that the database does not respond', async () => {
    const wrong = { DATABASE_URL: 'postgres://127.0.0.1:1/none', PORT: '0', DATA_DIR: join(folder, 'other') };
    const started = start(MAIN, [], { ...env, ...wrong });
    expect([await started.exitCode, started.stderr()]).toEqual([1, 'The database at DATABASE_URL does not respond.\n']);
  });

  it('prints that a newer version upgraded the database', async () => {
    const { db, close } = await openPglite({ folder: join(folder, 'other', 'database') }, pino({ level: 'silent' }));
    const newer = Date.now() + 10_000_000_000;
    await db.execute(sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('x', ${newer})`);
    await close();
    const other = { ...env, PORT: '0', DATA_DIR: join(folder, 'other') };
    const shell = start(CLI, ['migrate', '--plan'], other);
    await shell.exitCode;
    const started = start(MAIN, [], other);
    expect([await shell.exitCode, await started.exitCode]).toEqual([1, 1]);
    for (const { stderr } of [shell, started])
      expect(stderr()).toMatch(
        /^The database was upgraded by a newer version of Emulsion: install that version, or restore a backup\.\n$/m,
      );
  });

  it('prints one sentence that names the variable, whatever step fails', async () => {
    await writeFile(join(folder, 'file'), '');
    const sentences: [Record<string, string>, RegExp][] = [
      [{}, /^PORT \d+ is in use by another process\.\n$/],
      [{ METRICS_PORT: String(program.port()), PORT: '0' }, /^METRICS_PORT \d+ is in use by another process\.\n$/],
      [{ HOST: 'nosuchhost.invalid' }, /^HOST nosuchhost\.invalid .* name an address of this machine\.\n$/],
      [{ HOST: '203.0.113.7' }, /^HOST 203\.0\.113\.7 is no address of this machine\.\n$/],
      [{ PORT: '0', DATA_DIR: join(folder, 'file') }, /^DATA_DIR \/.*\/file is a file: name a folder\.\n$/],
      [{ PORT: '0', DATA_DIR: '/proc/emulsion' }, /^DATA_DIR \/proc\/emulsion can’t be created there\.\n$/],
      [{ PORT: '0', DATABASE_URL: 'postgres://nosuchhost.invalid/x' }, /^The .* DATABASE_URL .*\.\n$/],
    ];
    for (const [wrong, sentence] of sentences) {
      const started = start(MAIN, [], { ...env, DATA_DIR: join(folder, 'other'), ...wrong });
      expect(await started.exitCode).toBe(1);
      expect([started.stderr(), started.stdout()]).toEqual([expect.stringMatching(sentence), '']);
    }
  });
});

it('migrates a database from the shell', async () => {
  const fresh = { ...env, DATA_DIR: join(folder, 'fresh') };
  await mkdir(join(folder, 'fresh', 'database'), { recursive: true });
  const migrated = start(CLI, ['migrate'], fresh);
  expect(await migrated.exitCode).toBe(0);
  expect(migrated.stdout()).toMatch(/^1 migration is pending:\n0000_baseline: creates table api_keys, /);
  expect(migrated.stdout()).toMatch(/\nThe database is up to date\.\n$/);
});

describe('the CLI', () => {
  it('shows its version', async () => {
    const shell = start(CLI, ['--version'], env);
    expect([await shell.exitCode, shell.stdout()]).toEqual([0, `${VERSION}\n`]);
  });

  it('manages keys and funds on the folder of a stopped service', async () => {
    running.child.kill('SIGTERM');
    expect(await running.exitCode).toBe(0);
    const empty = start(CLI, ['migrate', '--plan'], { ...env, DATA_DIR: join(folder, 'none') });
    expect(await empty.exitCode).toBe(0);
    expect(empty.stdout()).toMatch(/^There is no database in .*none yet\./);
    expect(existsSync(join(folder, 'none'))).toBe(false);
    const created = start(CLI, ['keys', 'create', '--name', 'Anna', '--kind', 'member'], env);
    expect(await created.exitCode).toBe(0);
    expect(created.stdout()).toMatch(/^key_\w{26}\nmgs_usr_[\w-]{43}\n$/);
    const unknown = start(CLI, ['sign-in', '--key', 'key_unknown'], env);
    expect([await unknown.exitCode, unknown.stderr()]).toEqual([1, 'There is no key key_unknown.\n']);
    const credit = start(CLI, ['credit', '-3.50', '--why', 'a correction'], env);
    expect([await credit.exitCode, credit.stdout()]).toEqual([0, 'ADJUSTMENT −$3.50. Available: $96.50\n']);
    const refused = start(CLI, ['credit', 'lots', '--why', 'x'], env);
    expect(await refused.exitCode).toBe(1);
  });
});
