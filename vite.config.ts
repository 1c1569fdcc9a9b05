import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import type { IndexHtmlTransformContext, Plugin, Rolldown } from 'vite';
import { defineConfig } from 'vitest/config';
import { firstPaint } from './src/web/app/shell/first-paint.tsx';

const service = 'http://localhost:8787';
const FORMS = /\/react-hook-form\/|\/src\/web\/forms\/(?:form-dialog|amount-field)\.tsx$/;

export default defineConfig({
  plugins: [react(), tailwindcss(), formsWithoutHooks(), paintFirst(), precompress(), refuseCircles()],
  server: { port: 5173, proxy: { '/v1': service, '/media': service, '/openapi.json': service } },
  build: {
    manifest: true,
    // The first with light-dark(): nothing is written twice for older ones.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
        codeSplitting: {
          groups: [
            // What is there from the start; what the first page shares with others; what many share; the schemas, large and
            // not for everyone; what some share; and what a few share, by who they are. What is imported is shared by at
            // least as many as what imports it: no circles, and little that a page does not need.
            { name: 'app', tags: ['$initial'] },
            {
              debugName: 'studio',
              name: (id, context) => (firstPageNeeds(id, context) ? 'studio' : null),
              minShareCount: 2,
            },
            { name: 'kit', test: (id) => !FORMS.test(id), minShareCount: 8 },
            // Many dialogs share it, and no page needs it before one opens.
            { name: 'dialog-forms', test: FORMS },
            { name: 'schemas', test: /\/zod\/|\/src\/contract\//, minShareCount: 2 },
            { name: 'often', minShareCount: 4 },
            { name: 'shared', minShareCount: 2, entriesAware: true },
          ],
        },
      },
    },
  },
  test: {
    include: ['src/**/*.test.ts'],
    pool: 'forks',
    // What the tests of a service load, its embedded database above all, takes longer than most of them.
    isolate: false,
    unstubGlobals: true,
    globalSetup: 'src/server/testing/remove-abandoned.ts',
    // Many tests wait for processes of their own.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});

const firstPage = path.join(import.meta.dirname, 'src/web/features/create/create-page.tsx');

/** A package's front door, which names all of its modules: to import one thing through it is not to need them all. */
const isBarrel = (id: string) => /node_modules.*\/(index|lucide-react)\.m?js$/.test(id);
const plain = (name: string) => name.replaceAll('-', '').toLowerCase();
const needed = new WeakMap<Rolldown.ChunkingContext, Set<string>>();

/** Whether the first page imports a module, itself or through others, at once rather than on demand. */
function firstPageNeeds(id: string, context: Rolldown.ChunkingContext): boolean {
  const known = needed.get(context) ?? modulesOfFirstPage(context);
  needed.set(context, known);
  return known.has(id);
}

/** Of a package behind a barrel, the modules that are called like something that is imported by name. */
function modulesOfFirstPage(context: Rolldown.ChunkingContext): Set<string> {
  const found = new Set<string>();
  const barrels = new Set<string>();
  const names = new Set<string>();
  const visit = (id: string) => {
    const info = context.getModuleInfo(id);
    if (!info || found.has(id)) return;
    if (isBarrel(id)) {
      barrels.add(id);
      return;
    }
    found.add(id);
    for (const [, list = ''] of info.code?.matchAll(/import\s*\{([^}]*)\}/g) ?? []) {
      for (const name of list.split(',')) names.add(plain(name.split(' as ')[0]?.trim() ?? ''));
    }
    info.importedIds.forEach(visit);
  };
  visit(firstPage);
  for (let before = -1; before < found.size + barrels.size;) {
    before = found.size + barrels.size;
    for (const barrel of barrels) {
      const behind = context.getModuleInfo(barrel)?.importedIds ?? [];
      behind.filter((id) => isBarrel(id) || names.has(plain(path.parse(id).name))).forEach(visit);
    }
  }
  return found;
}

/**
 * Gives the task forms the build of react-hook-form that has no hooks. They use none, and the first page needs nothing
 * else of the package: 2 kB less, of a budget that is nearly used up. Dialogs load the whole of it on demand.
 */
function formsWithoutHooks(): Plugin {
  return {
    name: 'emulsion:forms-without-hooks',
    enforce: 'pre',
    resolveId(id, importer) {
      if (id !== 'react-hook-form' || !importer?.endsWith('/src/web/forms/input-form.ts')) return null;
      return path.join(import.meta.dirname, 'node_modules/react-hook-form/dist/react-server.esm.mjs');
    },
  };
}

/**
 * Makes index.html paint by itself: the frame as markup with its styles, and the first page's script asked for at once.
 * The service allows the inline parts by their hashes.
 */
function paintFirst(): Plugin {
  return {
    name: 'emulsion:paint-first',
    transformIndexHtml: {
      order: 'post',
      handler(html, context) {
        const framed = html.replace('<!--shell-->', firstPaint());
        if (!context.bundle) return framed;
        return stylesLast(framed, `<script>${preloads(context.bundle)}</script>`);
      },
    },
  };
}

type Bundle = NonNullable<IndexHtmlTransformContext['bundle']>;

/**
 * Moves the stylesheet behind the frame, which has styles of its own: it holds up the script, but not the first paint.
 * @param after is run once the stylesheet is there, so that what it asks for does not share the line with it
 */
function stylesLast(html: string, after: string): string {
  const [link] = /<link rel="stylesheet"[^>]*>/.exec(html) ?? [];
  if (!link) throw new Error('index.html has no stylesheet.');
  return html.replace(link, '').replace('</body>', () => `${link}${after}</body>`);
}

/**
 * The scripts of the page at the address, which would otherwise be asked for only when the app runs; and the typeface,
 * where it is known to be kept from an earlier visit.
 */
function preloads(bundle: Bundle): string {
  const font = Object.keys(bundle).find((file) => /inter-latin-wght-normal[^/]*\.woff2$/.test(file));
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const files: string[] = [];
  const pages: Record<string, number[]> = {};
  const routes = path.join(import.meta.dirname, 'src/web/app/routes');
  for (const name of readdirSync(routes)) {
    const route = readFileSync(path.join(routes, name), 'utf8');
    const address = /path: '\/([\w-]+)/.exec(route)?.[1];
    const page = /import\('#web\/([^']+)'\)/.exec(route)?.[1];
    const chunk = page && chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(page));
    if (!address || !chunk) continue;
    pages[address] = scriptsOf(bundle, chunk.fileName).map((file) => {
      if (!files.includes(file)) files.push(file);
      return files.indexOf(file);
    });
  }
  return `{
    const ask = (link) => document.head.append(Object.assign(document.createElement('link'), link));
    const files = ${JSON.stringify(files)};
    for (const index of ${JSON.stringify(pages)}[location.pathname.split('/')[1] || 'create'] ?? []) {
      ask({ rel: 'modulepreload', href: '/' + files[index] });
    }
    if (document.documentElement.dataset.face) {
      ask({ rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: '', href: '/${font}' });
    }
  }`;
}

/** A chunk and what it imports at once, less what index.html asks for anyway. */
function scriptsOf(bundle: Bundle, file: string): string[] {
  const found = new Set<string>();
  const visit = (name: string) => {
    const chunk = bundle[name];
    if (chunk?.type !== 'chunk' || chunk.isEntry || found.has(name)) return;
    found.add(name);
    chunk.imports.forEach(visit);
  };
  visit(file);
  return [...found];
}

/** Scripts that import each other in a circle may run before what they need is there. */
function refuseCircles(): Plugin {
  return {
    name: 'emulsion:refuse-circles',
    generateBundle(_options, bundle) {
      const done = new Set<string>();
      const visit = (file: string, way: string[]) => {
        if (way.includes(file)) this.error(`Scripts import each other in a circle: ${[...way, file].join(' → ')}`);
        const chunk = bundle[file];
        if (chunk?.type !== 'chunk' || done.has(file)) return;
        for (const imported of chunk.imports) visit(imported, [...way, file]);
        done.add(file);
      };
      for (const file of Object.keys(bundle)) visit(file, []);
    },
  };
}

/** Writes a .br and a .gz beside every text file of the build, so that the service never compresses on a request. */
function precompress(): Plugin {
  let outDir = '';
  return {
    name: 'emulsion:precompress',
    apply: 'build',
    configResolved(config) {
      outDir = path.resolve(config.root, config.build.outDir);
    },
    closeBundle() {
      for (const entry of readdirSync(outDir, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !/\.(html|js|css|svg|json|txt|webmanifest)$/.test(entry.name)) continue;
        const file = path.join(entry.parentPath, entry.name);
        const source = readFileSync(file);
        const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: source.length };
        writeFileSync(`${file}.br`, brotliCompressSync(source, { params }));
        writeFileSync(`${file}.gz`, gzipSync(source, { level: 9 }));
      }
    },
  };
}
