import { expect, it } from 'vitest';
import { chunkFileNames, importedNames, staticImports } from './chunk-groups.ts';

const graphOf = (modules: Record<string, { code?: string; imports?: string[] }>) => (id: string) => {
  const found = modules[id];
  return found ? { code: found.code ?? '', importedIds: found.imports ?? [] } : null;
};

it('reads imported names under the names that the other module exports', () => {
  const code = `import React, { useState, type Ref as RefOf } from 'react'; import { X, ChevronDown as Down } from "lucide-react";
import {
  a,
} from './a.ts'; import './style.css'`;
  expect(importedNames(code)).toEqual(['X', 'ChevronDown', 'a']);
  expect(importedNames(`import{a as b,c}from"./x.js"`)).toEqual(['a', 'c']);
});

it('follows static imports, cycles included', () => {
  const graph = graphOf({
    '/app/src/page.tsx': { imports: ['/app/src/a.ts', '/app/src/b.ts'] },
    '/app/src/a.ts': { imports: ['/app/src/page.tsx'] },
    '/app/src/b.ts': {},
    '/app/src/other.ts': {},
  });
  expect([...staticImports('/app/src/page.tsx', '/app', graph)]).toEqual([
    '/app/src/page.tsx',
    '/app/src/a.ts',
    '/app/src/b.ts',
  ]);
});

it('takes only the modules behind a barrel whose names are imported', () => {
  const icons = '/app/node_modules/lucide-react/dist';
  const graph = graphOf({
    '/app/src/page.tsx': {
      code: `import { ChevronDown } from 'lucide-react'`,
      imports: [`${icons}/lucide-react.mjs`],
    },
    [`${icons}/lucide-react.mjs`]: { imports: [`${icons}/chevron-down.mjs`, `${icons}/star.mjs`] },
    [`${icons}/chevron-down.mjs`]: {
      code: `import { createIcon } from './shared/index.mjs'`,
      imports: [`${icons}/shared/index.mjs`],
    },
    [`${icons}/shared/index.mjs`]: { imports: [`${icons}/create-icon.mjs`, `${icons}/unused.mjs`] },
    [`${icons}/star.mjs`]: {},
    [`${icons}/create-icon.mjs`]: {},
    [`${icons}/unused.mjs`]: {},
  });
  expect([...staticImports('/app/src/page.tsx', '/app', graph)]).toEqual([
    '/app/src/page.tsx',
    `${icons}/chevron-down.mjs`,
    `${icons}/create-icon.mjs`,
  ]);
});

it('finds the same modules wherever the project is checked out', () => {
  const modulesAt = (root: string) =>
    [
      ...staticImports(
        `${root}/src/page.tsx`,
        root,
        graphOf({
          [`${root}/src/page.tsx`]: { imports: [`${root}/src/index.js`] },
          [`${root}/src/index.js`]: {},
        }),
      ),
    ].map((id) => id.slice(root.length));
  expect(modulesAt('/tmp/node_modules/app')).toEqual(modulesAt('/home/app'));
});

it('names chunks without the suffix that tells them apart', () => {
  expect(chunkFileNames({ name: 'shared~billing-page~keys-page' })).toBe('assets/shared-[hash].js');
});
