import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../../..');
export const DASHBOARD_FOLDER = join(ROOT, 'dist');

const SOURCES = ['index.html', 'vite.config.ts', 'package-lock.json', 'public', 'src/build', 'src/web', 'src/contract'];

export async function isBuildFresh(root: string = ROOT): Promise<boolean> {
  const builtMs = await stat(join(root, 'dist/index.html')).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  const changedMs = await Promise.all(SOURCES.map((source) => lastModifiedMs(join(root, source))));
  return builtMs > 0 && builtMs >= Math.max(...changedMs);
}

/** Includes folders, because removing a file changes only the time of its folder. */
async function lastModifiedMs(path: string): Promise<number> {
  const stats = await stat(path).catch(() => null);
  if (!stats) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const lookedAt = entries.filter(({ name }) => !name.endsWith('.test.ts'));
  const times = await Promise.all(
    lookedAt.map(({ parentPath, name }) => stat(join(parentPath, name)).then(({ mtimeMs }) => mtimeMs)),
  );
  return Math.max(stats.mtimeMs, ...times);
}

/** Builds the dashboard if needed. Keeps the existing build if Vite is not installed. */
async function buildIfStale(): Promise<void> {
  if (await isBuildFresh()) return;
  const vite = await import('vite').catch(() => null);
  if (!vite) {
    if (!existsSync(DASHBOARD_FOLDER))
      process.stderr.write('The dashboard can’t be built: run npm ci with dev packages.\n');
    return;
  }
  process.stdout.write('Building the dashboard …\n');
  await vite.build({ root: ROOT, logLevel: 'warn' });
}

if (import.meta.main) await buildIfStale();
