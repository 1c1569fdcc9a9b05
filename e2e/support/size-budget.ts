import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** Brotli bytes of script that the first view may load. */
const BUDGET_KB = 150;
const FIRST_VIEW = 'src/web/features/create/create-page.tsx';
const dist = path.resolve(import.meta.dirname, '../../dist');

interface Chunk {
  file: string;
  imports?: string[];
}

function scriptsOf(manifest: Record<string, Chunk>, entries: string[]): Set<string> {
  const files = new Set<string>();
  const visit = (key: string): void => {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`The build has no ${key}: has the first view moved?`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    chunk.imports?.forEach(visit);
  };
  entries.forEach(visit);
  return files;
}

const manifestFile = path.join(dist, '.vite/manifest.json');
if (!existsSync(manifestFile)) {
  process.stderr.write('There is no build to measure: run npm run build first.\n');
  process.exit(1);
}
const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Record<string, Chunk>;
const files = scriptsOf(manifest, ['index.html', FIRST_VIEW]);
const bytes = [...files].reduce((sum, file) => sum + statSync(path.join(dist, `${file}.br`)).size, 0);
const kb = bytes / 1000;
process.stdout.write(
  `First view: ${kb.toFixed(1)} kB brotli of script in ${files.size} files (budget ${BUDGET_KB}).\n`,
);
if (kb > BUDGET_KB) process.exitCode = 1;
