import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { runProcess } from './run-process.ts';

const script = (code: string): string[] => [process.execPath, '-e', code];
const IDLE = 'setInterval(() => {}, 1000);';

const isAlive = async (pid: number): Promise<boolean> => {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return status !== '' && !/\) Z /.test(status);
};

it('returns exit code, output and the end of standard error', async () => {
  let output = '';
  const code = 'console.log("out"); console.error("x".repeat(9000) + "end"); process.exitCode = 3';
  const result = await runProcess(script(code), { onOutput: (chunk) => void (output += chunk.toString()) });
  expect(result).toMatchObject({ exitCode: 3, exitSignal: null, timedOut: false });
  expect(output).toBe('out\n');
  expect(result.stderr).toHaveLength(4_000);
  expect(result.stderr.trimEnd().endsWith('end')).toBe(true);
});

it('throws when the program does not exist', async () => {
  await expect(runProcess(['/nowhere/ffmpeg'])).rejects.toMatchObject({ code: 'ENOENT' });
});

it('pipes input with back-pressure', async () => {
  let chunkCount = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) {
      chunkCount += 1;
      yield Buffer.alloc(65_536);
    }
  }
  const result = await runProcess(script(IDLE), { input: endless(), timeoutMs: 500 });
  expect(result.timedOut).toBe(true);
  expect(chunkCount).toBeLessThan(40);
});

it('counts every byte of its input', async () => {
  async function* some(): AsyncGenerator<Uint8Array> {
    for (let index = 0; index < 100; index += 1) yield Buffer.alloc(100_001);
  }
  let output = '';
  const code = 'let n = 0; process.stdin.on("data", (d) => (n += d.length)).on("end", () => console.log(n))';
  await runProcess(script(code), { input: some(), onOutput: (chunk) => void (output += chunk.toString()) });
  expect(Number(output)).toBe(10_000_100);
});

it('stops the process and throws the error of its input', async () => {
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.alloc(10);
    throw new Error('drawing failed');
  }
  await expect(runProcess(script(IDLE), { input: broken() })).rejects.toThrow('drawing failed');
});

it('uses the exit code when the process stops reading', async () => {
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) yield Buffer.alloc(65_536);
  }
  const result = await runProcess(script('process.stdin.once("data", () => process.exit(0))'), { input: endless() });
  expect(result.exitCode).toBe(0);
});

it.each([
  ['exits', 'process.exit(3)', undefined, { exitCode: 3, timedOut: false }],
  ['is stopped', IDLE, 500, { exitCode: null, timedOut: true }],
])('does not wait for its input when it %s', async (_, code, timeoutMs, expected) => {
  async function* pending(): AsyncGenerator<Uint8Array> {
    yield Buffer.alloc(10);
    await new Promise(() => undefined);
  }
  expect(await runProcess(script(code), { input: pending(), timeoutMs })).toMatchObject(expected);
});

it('stops the process and throws the error of its reader', async () => {
  const onOutput = (): void => {
    throw new Error('too much');
  };
  await expect(runProcess(script(`console.log(1);${IDLE}`), { onOutput })).rejects.toThrow('too much');
});

it('throws the abort reason before and while running, and kills a process that ignores SIGTERM', async () => {
  const reason = new Error('canceled');
  await expect(runProcess(script(IDLE), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  const controller = new AbortController();
  let output = '';
  const onOutput = (chunk: Buffer): void => {
    output += chunk.toString();
    controller.abort(reason);
  };
  const stubborn = `process.on('SIGTERM', () => console.log('ignored'));console.log(process.pid);${IDLE}`;
  await expect(runProcess(script(stubborn), { signal: controller.signal, onOutput })).rejects.toBe(reason);
  const [pid, answer] = output.split('\n');
  expect(answer).toBe('ignored');
  expect(await isAlive(Number(pid))).toBe(false);
});

it('leaves no process when the parent is killed', async () => {
  const inner = JSON.stringify([
    'setpriv',
    '--pdeathsig',
    'KILL',
    '--',
    process.execPath,
    '-e',
    `console.log(process.pid);${IDLE}`,
  ]);
  const code = `import { runProcess } from ${JSON.stringify(new URL('run-process.ts', import.meta.url).href)};
    await runProcess(${inner}, { onOutput: (chunk) => void process.stdout.write(chunk) });`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [chunk]: Buffer[] = await once(parent.stdout, 'data');
  const pid = Number(chunk?.toString());
  expect(await isAlive(pid)).toBe(true);
  parent.kill('SIGKILL');
  await once(parent, 'close');
  await expect.poll(() => isAlive(pid)).toBe(false);
});
