import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import { freePort } from './free-port.ts';

export const MAIN = join(import.meta.dirname, '../main.mjs');
export const CLI = join(import.meta.dirname, '../cli/cli.mjs');

export interface StartedProgram {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  exitCode: Promise<number | null>;
}

export interface ProgramFixture {
  /** Available only inside tests and hooks, as the others are. */
  folder(): string;
  port(): number;
  url(): string;
  /** Of the service on this folder and port, which has no ffmpeg. */
  env(): Record<string, string>;
  start(script: string, args: readonly string[], env: Readonly<Record<string, string>>): StartedProgram;
  /** Starts the service and waits until it is ready. @throws what it printed if it exits */
  startService(more?: Readonly<Record<string, string>>): Promise<StartedProgram>;
}

/** Processes of the service and of the CLI, as an operator starts them; all end with the test file. */
export function useProgram(): ProgramFixture {
  let folder = '';
  let port = 0;
  const started: StartedProgram[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'emulsion-run-'));
    port = await freePort();
  });
  afterAll(async () => {
    for (const { child } of started) child.kill('SIGKILL');
    await Promise.all(started.map(({ exitCode }) => exitCode));
    await rm(folder, { recursive: true, force: true });
  });
  const fixture: ProgramFixture = {
    folder: () => folder,
    port: () => port,
    url: () => `http://localhost:${port}`,
    env: () => ({ DATA_DIR: folder, PORT: String(port), LOG_LEVEL: 'info', FFMPEG_PATH: '/nowhere' }),
    start(script, args, env) {
      const program = startProgram(script, args, env);
      started.push(program);
      return program;
    },
    async startService(more = {}) {
      const program = fixture.start(MAIN, [], { ...fixture.env(), ...more });
      while (!(await fetch(`${fixture.url()}/readyz`).catch(() => null))?.ok) {
        if (program.child.exitCode !== null) throw new Error(program.stderr());
        await sleep(50);
      }
      return program;
    },
  };
  return fixture;
}

function startProgram(script: string, args: readonly string[], env: Readonly<Record<string, string>>): StartedProgram {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [script, ...args], {
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const exitCode = once(child, 'close').then(() => child.exitCode);
  return { child, stdout: () => stdout, stderr: () => stderr, exitCode };
}
