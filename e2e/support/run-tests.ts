import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

interface Run {
  child: ChildProcess;
  /** null after a signal. */
  exitCode: Promise<number | null>;
}

function start(command: string, args: readonly string[], output: 'inherit' | 'pipe'): Run {
  const child = spawn(command, args, { stdio: ['ignore', output, 'inherit'] });
  return { child, exitCode: once(child, 'close').then(() => child.exitCode) };
}

/**
 * Runs all tests: those in the browser beside the others, because each kind waits for timers, media and processes half
 * of its time. What the browser's tests print follows at the end.
 */
async function runTests(): Promise<void> {
  const browser = start('playwright', ['test', '-c', 'e2e'], 'pipe');
  const printed: Buffer[] = [];
  browser.child.stdout?.on('data', (chunk: Buffer) => printed.push(chunk));
  const others = start('vitest', ['run'], 'inherit');
  process.once('SIGINT', () => [browser, others].forEach(({ child }) => child.kill('SIGINT')));
  const failed = (await others.exitCode) !== 0;
  process.stdout.write(Buffer.concat(printed.splice(0)));
  browser.child.stdout?.pipe(process.stdout);
  if ((await browser.exitCode) !== 0 || failed) process.exitCode = 1;
}

await runTests();
