import './core/fast-imports.ts';

const { runService: run } = await import('./run.ts');
await run({ is_development: process.argv.includes('--dev') });
