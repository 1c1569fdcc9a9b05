import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Before anything else is loaded: the second start then needs neither the types stripped nor the code compiled again.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/compiled'));

const { runService: run } = await import('./run.ts');
await run({ is_development: process.argv.includes('--dev') });
