import './core/fast-imports.mjs';

const { runService } = await import('./run.ts');
await runService({ is_development: process.argv.includes('--dev') });
