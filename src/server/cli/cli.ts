import '../core/fast-imports.ts';

await import('./program.ts');
