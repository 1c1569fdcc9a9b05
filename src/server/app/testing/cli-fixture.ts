import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Command } from 'commander';
import { afterAll, beforeAll, vi } from 'vitest';
import { unpackPreparedDatabase } from './prepared-database.ts';
import { sharedPostgres } from './shared-postgres.ts';

interface CliRun {
  /** On standard input; without it the one of the tests stays. */
  input?: string;
  env?: Readonly<Record<string, string>>;
  /** Receives what it prints before it fails. */
  lines?: string[];
}

export interface CliFixture {
  /** An installation in its state after the first start of the service. Available only inside tests and hooks. */
  env(): Record<string, string>;
  /**
   * Runs a command of `npm run admin` in this process, which is much faster than in one of its own.
   * @returns what it printed @throws what the CLI reports
   */
  run(commands: (print: (line: string) => void) => Command, args: readonly string[], how?: CliRun): Promise<string[]>;
  /** Runs work of a test with the same environment. */
  withEnv<T>(work: () => Promise<T>, more?: Readonly<Record<string, string>>): Promise<T>;
}

/** A data folder with a database: PostgreSQL, which opens sooner, or the embedded one where that is not installed. */
export function useCliFixture(settings: Readonly<Record<string, string>> = {}): CliFixture {
  let env: Record<string, string> = {};
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'emulsion-cli-'));
    const databaseUrl = await (await sharedPostgres())?.createDatabase();
    if (databaseUrl === undefined) await unpackPreparedDatabase(join(folder, 'database'));
    env = {
      LOG_LEVEL: 'silent',
      DATA_DIR: folder,
      // Looking for the installed ones takes most of the time of a command.
      FFMPEG_PATH: '/nowhere',
      FFPROBE_PATH: '/nowhere',
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
      ...settings,
    };
  });
  afterAll(() => rm(env['DATA_DIR'] ?? '', { recursive: true, force: true }));

  async function withEnv<T>(work: () => Promise<T>, more: Readonly<Record<string, string>> = {}): Promise<T> {
    for (const [name, value] of Object.entries({ ...env, ...more })) vi.stubEnv(name, value);
    try {
      return await work();
    } finally {
      vi.unstubAllEnvs();
    }
  }

  return {
    env: () => env,
    withEnv,
    async run(commands, args, { input, env: more, lines = [] } = {}) {
      const command = commands((line) => lines.push(line));
      for (const each of command.commands) each.exitOverride().configureOutput({ writeErr: () => undefined });
      const stdin = input === undefined ? null : vi.spyOn(process, 'stdin', 'get');
      // Commands know standard input as a stream that is not a terminal.
      stdin?.mockReturnValue(Object.assign(Readable.from([input]), { fd: 0 }) as unknown as typeof process.stdin);
      try {
        await withEnv(() => command.parseAsync(args, { from: 'user' }), more);
        return lines;
      } finally {
        stdin?.mockRestore();
      }
    },
  };
}
