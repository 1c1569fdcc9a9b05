import { restartWithAllocatorSettings } from '#server/platform/core/restart-with-allocator-settings.mjs';

restartWithAllocatorSettings();

await import('#server/platform/core/compile-cache.mjs');
await import('./program.ts');
