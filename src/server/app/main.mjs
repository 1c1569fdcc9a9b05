import '#server/platform/core/compile-cache.mjs';

const { runService } = await import('./run.ts');
await runService({ isDevelopment: process.argv.includes('--dev') });
