import { expect, it } from 'vitest';
import { formatLicenses, packageFolderOf, type ShippedPackage } from './third-party.ts';

const described = (name: string, license: string, ...texts: string[]): ShippedPackage => ({
  name,
  version: '1.0.0',
  license,
  homepage: `https://example.com/${name}`,
  texts,
});

it.each([
  ['/app/node_modules/react/index.js', '/app/node_modules/react'],
  ['/app/node_modules/@base-ui/react/esm/menu.js?x', '/app/node_modules/@base-ui/react'],
  ['/app/node_modules/ai/node_modules/zod/index.js', '/app/node_modules/ai/node_modules/zod'],
  ['/app/src/web/app/main.tsx', null],
  ['\0vite/preload-helper.js', null],
  ['\0/app/node_modules/react/index.js?commonjs', null],
])('finds the package of the module %j', (id, folder) => {
  expect(packageFolderOf(id)).toBe(folder);
});

it('lists packages with the same license text together, and those without a text by the name of their license', () => {
  const text = formatLicenses([
    described('a', 'MIT', 'Permission is granted'),
    described('b', 'LGPL-3.0-or-later'),
    described('c', 'MIT', 'Permission is granted'),
  ]);
  expect(text).toContain('the following 3 packages');
  expect(text).toContain(
    'a 1.0.0 (MIT) https://example.com/a\nc 1.0.0 (MIT) https://example.com/c\n\nPermission is granted\n',
  );
  expect(text).toContain('No text in the package. License: LGPL-3.0-or-later');
  expect(text.match(/Permission is granted/g)).toHaveLength(1);
});
