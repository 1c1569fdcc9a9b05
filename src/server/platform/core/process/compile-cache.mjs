import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// This file and those that import it are JavaScript: Node loads its compiler, 4 MB, at the first file with types that
// the cache lacks, and the cache is not open before this line.
const CACHE = join(import.meta.dirname, '../../../../../node_modules/.cache/compiled');

// The next start then neither strips types nor compiles code again.
enableCompileCache(CACHE);
// Threads open the cache too.
process.env['NODE_COMPILE_CACHE'] ??= CACHE;
