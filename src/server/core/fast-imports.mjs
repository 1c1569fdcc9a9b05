import { enableCompileCache, registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

// This file and those that import it are JavaScript: Node loads its compiler, 4 MB, at the first file with types that
// the cache lacks, and the cache is not open before this line.
const CACHE = join(import.meta.dirname, '../../../node_modules/.cache/compiled');

// The next start then neither strips types nor compiles code again.
enableCompileCache(CACHE);
// Threads open the cache too.
process.env['NODE_COMPILE_CACHE'] ??= CACHE;

const SOURCE = pathToFileURL(join(import.meta.dirname, '../..')).href;

/** @type {Map<string, import('node:module').ResolveFnOutput>} */
const resolved = new Map();

// Node reads and parses package.json, 180 kB in one case, at each of thousands of imports: a quarter of a start.
registerHooks({
  resolve(specifier, context, next) {
    const parent = context.parentURL ?? '';
    if (parent.startsWith(SOURCE)) {
      const own = /^#(?:server|contract)\/.*\.ts$/.test(specifier)
        ? `${SOURCE}/${specifier.slice(1)}`
        : /^\.\.?\/.*\.ts$/.test(specifier) && new URL(specifier, parent).href;
      if (own) return { url: own, format: 'module-typescript', shortCircuit: true };
    }
    if (specifier.startsWith('.') && /\/drizzle-orm\/.*\.js$/.test(parent) && specifier.endsWith('.js'))
      return { url: new URL(specifier, parent).href, format: 'module', shortCircuit: true };
    if (!specifier.startsWith('drizzle-orm')) return next(specifier, context);
    const known = resolved.get(specifier);
    if (known) return known;
    const result = { ...next(specifier, context), shortCircuit: true };
    resolved.set(specifier, result);
    return result;
  },
});
