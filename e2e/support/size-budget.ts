import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Brotli kB of script that the first view may load, and that any other page may add to it. Menus of the shell, 14 kB, are
 * part of the first view: loaded on demand they failed on their own when the connection was lost.
 */
const BUDGET_KB = { first: 235, further: 90 };
const FIRST_VIEW = 'src/web/features/create/create-page.tsx';
const dist = path.resolve(import.meta.dirname, '../../dist');

interface Chunk {
  file: string;
  imports?: string[];
}
type Manifest = Readonly<Record<string, Chunk>>;

function scriptsOf(manifest: Manifest, entries: readonly string[]): Set<string> {
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

function report(what: string, files: readonly string[], budgetKb: number): void {
  const bytes = files.reduce((sum, file) => sum + statSync(path.join(dist, `${file}.br`)).size, 0);
  const kb = bytes / 1000;
  process.stdout.write(
    `${what}: ${kb.toFixed(1)} kB brotli of script in ${files.length} files (budget ${budgetKb}).\n`,
  );
  if (kb > budgetKb) process.exitCode = 1;
}

const manifestFile = path.join(dist, '.vite/manifest.json');
if (!existsSync(manifestFile)) {
  process.stderr.write('There is no build to measure: run npm run build first.\n');
  process.exit(1);
}
const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Manifest;
const first = scriptsOf(manifest, ['index.html', FIRST_VIEW]);
report('First view', [...first], BUDGET_KB.first);
for (const page of Object.keys(manifest).filter((key) => key.endsWith('-page.tsx') && key !== FIRST_VIEW)) {
  const further = [...scriptsOf(manifest, [page])].filter((file) => !first.has(file));
  report(`${path.basename(page, '.tsx')}, further`, further, BUDGET_KB.further);
}
