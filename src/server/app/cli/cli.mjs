import { restartWithAllocatorSettings } from '#server/platform/core/process/restart-with-allocator-settings.mjs';

restartWithAllocatorSettings();

await import('#server/platform/core/process/compile-cache.mjs');
await import('./program.ts');
