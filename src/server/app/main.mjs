import { restartWithAllocatorSettings } from '#server/platform/core/restart-with-allocator-settings.mjs';

const isDevelopment = process.argv.includes('--dev');
restartWithAllocatorSettings(isDevelopment ? ['--watch'] : []);

await import('#server/platform/core/compile-cache.mjs');
const { runService } = await import('./run.ts');
await runService({ isDevelopment });
