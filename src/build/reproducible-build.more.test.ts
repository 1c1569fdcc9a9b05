import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { expect, it, onTestFinished } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');
const PARTS = ['package.json', 'package-lock.json', 'index.html', 'vite.config.ts', 'public', 'src'];

/** Copies the sources into a folder of its own and builds them there. */
async function build(name: string): Promise<Record<string, string>> {
  const parent = await mkdtemp(path.join(tmpdir(), 'build-'));
  onTestFinished(() => rm(parent, { recursive: true }));
  const root = path.join(parent, name);
  for (const part of PARTS) await cp(path.join(ROOT, part), path.join(root, part), { recursive: true });
  // npm and the chunks of the build want packages below the folder itself.
  await execa('cp', ['--archive', '--link', path.join(ROOT, 'node_modules'), root]);
  // NODE_ENV of the tests would build for development.
  const { PATH, HOME } = process.env;
  await execa('npm', ['run', 'build'], { cwd: root, extendEnv: false, env: { PATH, HOME } });
  const files = await readdir(path.join(root, 'dist'), { recursive: true, withFileTypes: true });
  const entries = files
    .filter((file) => file.isFile())
    .map(async (file) => {
      const full = path.join(file.parentPath, file.name);
      const digest = createHash('sha256').update(await readFile(full));
      return [path.relative(root, full), digest.digest('hex')] as const;
    });
  return Object.fromEntries(await Promise.all(entries));
}

it('builds the same bytes in two folders, the licenses and the list of packages included', async () => {
  const first = await build('one');
  const second = await build('another folder/of the same');
  expect(first).toEqual(second);
  expect(Object.keys(first)).toEqual(
    expect.arrayContaining(['dist/third-party-licenses.txt', 'dist/.vite/sbom.cdx.json', 'dist/index.html']),
  );
});
