import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import settings from './allocator-settings.json' with { type: 'json' };

interface Seen {
  pid: number;
  env: NodeJS.ProcessEnv;
  nodeOptions: string[];
  args: string[];
  input: string;
}

let folder: string;
let script: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'emulsion-restart-'));
  script = join(folder, 'program.mjs');
  await writeFile(
    script,
    `import { restartWithAllocatorSettings } from ${JSON.stringify(import.meta.resolve('./restart-with-allocator-settings.mjs'))};
     import { readFileSync } from 'node:fs';
     restartWithAllocatorSettings(['--no-warnings']);
     const { pid, env, execArgv: nodeOptions, argv } = process;
     console.log(JSON.stringify({ pid, env, nodeOptions, args: argv.slice(2), input: readFileSync(0, 'utf8') }));`,
  );
});
afterAll(() => rm(folder, { recursive: true }));

/** The shell prints its process id and is then replaced by Node. */
function run(env: Record<string, string> = {}): Seen & { shellPid: number } {
  const command = 'echo $$; exec "$0" --stack-size=900 "$1" --flag "two words"';
  const options = { env: { PATH: process.env['PATH'], ...env }, input: 'piped', encoding: 'utf8' } as const;
  const [shellPid, seen = ''] = execFileSync('sh', ['-c', command, process.execPath, script], options).split('\n');
  return { ...(JSON.parse(seen) as Seen), shellPid: Number(shellPid) };
}

describe.skipIf(process.platform === 'win32')('a program restarts with allocator settings (not on Windows)', () => {
  it('under the same process id, with its options, arguments and input', () => {
    const seen = run();
    expect(seen.env).toMatchObject(settings);
    expect(seen.pid).toBe(seen.shellPid);
    expect(seen.nodeOptions).toEqual(['--no-warnings', '--stack-size=900']);
    expect(seen.args).toEqual(['--flag', 'two words']);
    expect(seen.input).toBe('piped');
  });

  it('and keeps the settings of the operator', () => {
    const own = { MALLOC_ARENA_MAX: '8', LD_PRELOAD: '' };
    expect(run(own).env).toMatchObject({ ...settings, ...own });
  });
});
