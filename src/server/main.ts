import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Before any other import, so that the next start neither strips types nor compiles code again.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/compiled'));

const { runService: run } = await import('./run.ts');
await run({ is_development: process.argv.includes('--dev') });
