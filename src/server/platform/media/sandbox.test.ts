import { expect, it } from 'vitest';
import { runProcess } from './run-process.ts';
import { confineCommand, sandboxCommand } from './sandbox.ts';
import { sharedMediaTools } from './testing/shared-media-tools.ts';

const tools = await sharedMediaTools();

async function outputOf(command: readonly string[]): Promise<string> {
  let text = '';
  const { exitCode } = await runProcess(command, { onOutput: (chunk) => void (text += chunk.toString()) });
  expect(exitCode).toBe(0);
  return text;
}

it.skipIf(tools.noNetwork.length === 0)(
  'gives a media process no network: no route, and no device but its own loopback (skipped where unshare is not permitted)',
  async () => {
    for (const confine of [confineCommand, sandboxCommand]) {
      const text = await outputOf(confine(tools, ['cat', '/proc/net/route', '/proc/net/dev']));
      const lines = text.split('\n').filter((line) => line !== '' && !line.includes('|') && !line.startsWith('Iface'));
      expect(lines.map((line) => line.trim().split(':')[0])).toEqual(['lo']);
    }
  },
);

it('warns when a process can’t be isolated', () => {
  const sentence = tools.warnings.filter((warning) => warning.includes('network'));
  expect(sentence).toHaveLength(tools.noNetwork.length === 0 ? 1 : 0);
});

it.skipIf(!tools.can_limit)('bounds memory, processor time and files of a process', async () => {
  const text = await outputOf(sandboxCommand(tools, ['cat', '/proc/self/limits'], { memoryBytes: 5_000_000 }));
  const limitOf = (name: string) => new RegExp(`^${name} +(\\S+)`, 'm').exec(text)?.[1];
  expect(['Max data size', 'Max cpu time', 'Max open files', 'Max address space'].map(limitOf)).toEqual([
    '5000000',
    '900',
    '256',
    String(4 * 1024 ** 3),
  ]);
});

it('passes no secret of the service to a media process', async () => {
  process.env['SECRET_OF_A_TEST'] = 'x';
  try {
    const text = await outputOf(confineCommand(tools, ['env']));
    expect(text).toContain('PATH=');
    expect(text).not.toContain('SECRET_OF_A_TEST');
  } finally {
    delete process.env['SECRET_OF_A_TEST'];
  }
});
