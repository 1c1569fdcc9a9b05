import { expect, it } from 'vitest';
import { type BundleFile, deferStylesheet, preloadScript } from './first-paint.ts';

it('moves the stylesheet to the end of the body, before the script', () => {
  const html = '<head><link rel="stylesheet" crossorigin href="/assets/a.css"></head><body><p>$&</p></body>';
  expect(deferStylesheet(html, '<script>$1</script>')).toBe(
    '<head></head><body><p>$&</p><link rel="stylesheet" crossorigin href="/assets/a.css"><script>$1</script></body>',
  );
});

it('rejects a page without a stylesheet', () => {
  expect(() => deferStylesheet('<head></head><body></body>', '')).toThrow('no stylesheet');
});

const chunk = (fileName: string, imports: string[], facadeModuleId: string | null = null): BundleFile => ({
  type: 'chunk',
  fileName,
  imports,
  facadeModuleId,
  isEntry: fileName === 'app.js',
});

it('preloads a page with its static imports, the entry excepted', () => {
  const bundle = {
    'app.js': chunk('app.js', []),
    'kit.js': chunk('kit.js', ['app.js']),
    'keys.js': chunk('keys.js', ['kit.js', 'app.js'], '/keys-page.tsx'),
    'create.js': chunk('create.js', ['kit.js'], '/create-page.tsx'),
    'assets/inter-latin-wght-normal-abc.woff2': { type: 'asset' },
  } satisfies Record<string, BundleFile>;
  const pages = new Map([
    ['create', '/create-page.tsx'],
    ['keys', '/keys-page.tsx'],
  ]);
  const script = preloadScript(bundle, pages);
  expect(script).toContain('const files = ["create.js","kit.js","keys.js"]');
  expect(script).toContain('{"create":[0,1],"keys":[2,1]}[');
  expect(script).toContain("href: '/assets/inter-latin-wght-normal-abc.woff2'");
  expect(() => new Function(script)).not.toThrow();
  expect(() => preloadScript(bundle, new Map([['gone', '/gone-page.tsx']]))).toThrow('no chunk of its own');
});
