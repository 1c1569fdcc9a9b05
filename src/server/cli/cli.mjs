import '../core/fast-imports.mjs';

await import('./program.ts');
