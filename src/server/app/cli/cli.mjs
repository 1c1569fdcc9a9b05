import '#server/platform/core/compile-cache.mjs';

await import('./program.ts');
