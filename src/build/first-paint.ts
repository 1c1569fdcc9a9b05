import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';

export interface FirstPaintOptions {
  render: () => string;
  /** Folder of the routes. Each file is named for the first segment of its address, and loads the page of that first. */
  routes: string;
}

/**
 * Makes index.html paint by itself: the frame as markup with its styles inline, and the scripts of the page at the address
 * preloaded. The service allows the inline parts by their hashes.
 */
export function firstPaint({ render, routes }: FirstPaintOptions): Plugin {
  const pages = new Map<string, string>();
  return {
    name: 'emulsion:first-paint',
    generateBundle: {
      order: 'pre',
      handler() {
        for (const file of readdirSync(routes)) {
          const [page] = this.getModuleInfo(path.join(routes, file))?.dynamicallyImportedIds ?? [];
          if (page !== undefined) pages.set(path.parse(file).name, page);
        }
      },
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const framed = html.replace('<!--shell-->', render());
        if (!bundle) return framed;
        return deferStylesheet(framed, `<script>${preloadScript(bundle, pages)}</script>`);
      },
    },
  };
}

/**
 * Moves the stylesheet behind the frame, which has styles of its own: it then delays the script, but not the first paint.
 * @param after follows the stylesheet, so that its requests do not compete with it
 */
export function deferStylesheet(html: string, after: string): string {
  const [link] = /<link rel="stylesheet"[^>]*>/.exec(html) ?? [];
  if (!link) throw new Error('index.html has no stylesheet.');
  return html.replace(link, '').replace('</body>', () => `${link}${after}</body>`);
}

/** The part of a built file that is read here. */
export type BundleFile =
  | { type: 'asset' }
  | { type: 'chunk'; fileName: string; isEntry: boolean; facadeModuleId: string | null; imports: readonly string[] };
type Bundle = Readonly<Record<string, BundleFile>>;

/**
 * A script that preloads the scripts of the page at the address, which would otherwise be requested only once the app
 * runs, and the font where an earlier visit has cached it.
 * @param modules of the pages by the first segment of their addresses
 */
export function preloadScript(bundle: Bundle, modules: ReadonlyMap<string, string>): string {
  const font = Object.keys(bundle).find((file) => /inter-latin-wght-normal[^/]*\.woff2$/.test(file));
  const files: string[] = [];
  const pages: Record<string, number[]> = {};
  for (const [segment, module] of modules) {
    const chunk = Object.values(bundle).find((file) => file.type === 'chunk' && file.facadeModuleId === module);
    if (chunk?.type !== 'chunk') throw new Error(`${module} is no page: it has no chunk of its own.`);
    pages[segment] = scriptsOf(bundle, chunk.fileName).map((file) => {
      if (!files.includes(file)) files.push(file);
      return files.indexOf(file);
    });
  }
  return `{
    const preload = (link) => document.head.append(Object.assign(document.createElement('link'), link));
    const files = ${JSON.stringify(files)};
    for (const index of ${JSON.stringify(pages)}[location.pathname.split('/')[1] || 'create'] ?? []) {
      preload({ rel: 'modulepreload', href: '/' + files[index] });
    }
    if (document.documentElement.dataset.face) {
      preload({ rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: '', href: '/${font}' });
    }
  }`;
}

/** A chunk and its static imports, without the entry, which index.html names. */
function scriptsOf(bundle: Bundle, file: string): string[] {
  const scripts = new Set<string>();
  const visit = (name: string) => {
    const chunk = bundle[name];
    if (chunk?.type !== 'chunk' || chunk.isEntry || scripts.has(name)) return;
    scripts.add(name);
    chunk.imports.forEach(visit);
  };
  visit(file);
  return [...scripts];
}
