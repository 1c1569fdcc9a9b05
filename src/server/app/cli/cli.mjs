import { restartWithAllocatorSettings } from '#server/platform/core/process/restart-with-allocator-settings.mjs';

restartWithAllocatorSettings();

await import('#server/platform/core/process/compile-cache.mjs');
// A reader such as `head` has what it wants.
process.stdout.on('error', (error) => {
  if (!('code' in error && error.code === 'EPIPE')) throw error;
  process.exit(0);
});
await import('./program.ts');
