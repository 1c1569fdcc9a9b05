import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

interface EndedProcess {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `npm run admin` in a process of its own, with these variables only and `input` on its standard input. */
export async function runCliProcess(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  input = '',
): Promise<EndedProcess> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [join(import.meta.dirname, '../cli/cli.mjs'), ...args], {
    env: { PATH, HOME, ...env },
  });
  const text = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (text.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text.stderr += chunk.toString()));
  // A command may end before it has read its input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  await once(child, 'close');
  return { code: child.exitCode, ...text };
}
