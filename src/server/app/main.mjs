import { restartWithAllocatorSettings } from '#server/platform/core/process/restart-with-allocator-settings.mjs';

const isDevelopment = process.argv.includes('--dev');
restartWithAllocatorSettings(isDevelopment ? ['--watch'] : []);

await import('#server/platform/core/process/compile-cache.mjs');
const { runService } = await import('./run.ts');
await runService({ isDevelopment });
