import { expect, it } from 'vitest';
import { type BundleFile, deferStylesheet, parseRoute, preloadScript } from './first-paint.ts';

const route = (path: string, page: string) =>
  `export const route = createRoute({ path: '${path}', component: lazyPage(() => import('#web/${page}'), 'Page') });`;

it('reads the address and the page of a route', () => {
  expect(parseRoute(route('/create/{-$task}', 'features/create/create-page.tsx'))).toEqual({
    segment: 'create',
    page: 'features/create/create-page.tsx',
  });
  expect(parseRoute(route('/sign-in', 'features/sign-in/sign-in-page.tsx'))?.segment).toBe('sign-in');
});

it('skips route files without a page', () => {
  expect(parseRoute(`createRoute({ path: '/', beforeLoad: () => redirect() })`)).toBeNull();
  expect(parseRoute('createRootRoute({ component: Shell })')).toBeNull();
});

it('reads the first page of a file with several routes', () => {
  const source = [route('/uploads', 'features/uploads/uploads-page.tsx'), route('$id', 'features/uploads/panel.tsx')];
  expect(parseRoute(source.join('\n'))?.page).toBe('features/uploads/uploads-page.tsx');
});

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
    'keys.js': chunk('keys.js', ['kit.js', 'app.js'], '/anywhere/src/web/features/keys/keys-page.tsx'),
    'create.js': chunk('create.js', ['kit.js'], '/anywhere/src/web/features/create/create-page.tsx'),
    'assets/inter-latin-wght-normal-abc.woff2': { type: 'asset' },
  } satisfies Record<string, BundleFile>;
  const script = preloadScript(bundle, [
    route('/create', 'features/create/create-page.tsx'),
    route('/keys', 'features/keys/keys-page.tsx'),
    route('/gone', 'features/gone/gone-page.tsx'),
  ]);
  expect(script).toContain('const files = ["create.js","kit.js","keys.js"]');
  expect(script).toContain('{"create":[0,1],"keys":[2,1]}[');
  expect(script).toContain("href: '/assets/inter-latin-wght-normal-abc.woff2'");
  expect(() => new Function(script)).not.toThrow();
});
