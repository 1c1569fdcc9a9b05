import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Reads one line from standard input, without showing it on a terminal. @returns it without surrounding spaces */
export async function readSecret(prompt: string): Promise<string> {
  const { stdin, stderr } = process;
  if (stdin.isTTY) stderr.write(prompt);
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output, terminal: stdin.isTTY });
  try {
    const first = await Promise.race([
      lines[Symbol.asyncIterator]().next(),
      new Promise<never>((_resolve, reject) => lines.once('SIGINT', () => reject(new Error('Canceled.')))),
    ]);
    return first.done ? '' : first.value.trim();
  } finally {
    lines.close();
    if (stdin.isTTY) stderr.write('\n');
  }
}
