import { spawnSync } from 'node:child_process';
import { filesThatNeedFfmpeg } from '#server/app/testing/needs-ffmpeg.ts';
import { describeRest } from '#server/app/testing/test-tiers.ts';
import { installMissing } from './requirements.ts';

const STEPS = {
  vitest: (tier: string) => ['vitest', 'run', '--project', tier],
  build: () => ['vite', 'build'],
  playwright: (tier: string) => ['playwright', 'test', '-c', 'e2e', '--project', `${tier}*`],
};

const tier = process.argv[2] === 'more' ? 'more' : 'core';
const missing = installMissing();
for (const { name, tests, install } of missing)
  process.stderr.write(`${name} is missing, so ${tests} are skipped. Install it: ${install}\n`);
if (missing.length > 0 && process.env['CI']) process.exit(1);

const hasBrowser = !missing.some(({ name }) => name === 'chromium');
for (const [name, command] of Object.entries(STEPS)) {
  if (!hasBrowser && name !== 'vitest') continue;
  const { status } = spawnSync('npx', ['--no', ...command(tier)], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
if (!hasBrowser) process.stdout.write('Skipped all tests in a browser: chromium is missing.\n');
if (missing.some(({ name }) => name === 'ffmpeg')) {
  const skipped = ['src/**/*.test.ts', 'e2e/*.spec.ts'].flatMap(filesThatNeedFfmpeg);
  process.stdout.write(`Skipped ${skipped.length} files, because ffmpeg is missing:\n${skipped.join('\n')}\n`);
}
if (tier === 'core') process.stdout.write(`${describeRest().join('\n')}\n`);
