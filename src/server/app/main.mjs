import '#server/platform/core/compile-cache.mjs';

const { runService } = await import('./run.ts');
await runService({ is_development: process.argv.includes('--dev') });
