import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'vite';

/** A package whose code is in the build or in the production folder node_modules. */
export interface ShippedPackage {
  name: string;
  version: string;
  license: string;
  homepage: string;
  texts: readonly string[];
}

interface InstalledPackage {
  dev?: boolean;
}

const LICENSE_FILE = /^(?:licen[cs]e|copying|notice|ofl|third.?party)/i;
/** Its styles are in the stylesheet without being modules of the build. */
const OF_STYLES = 'tailwindcss';
/** Runs the service; a development package for npm, since the image copies it. */
const RUNTIME = 'node';

/**
 * Writes `third-party-licenses.txt`, with the licenses of all packages that ship, and their names to
 * `.vite/packages.json`, which the service does not serve.
 */
export function thirdParty(): Plugin {
  let root = '';
  return {
    name: 'emulsion:third-party',
    apply: 'build',
    configResolved(config) {
      root = config.root;
    },
    generateBundle() {
      const bundled = [...this.getModuleIds()].flatMap((id) => packageFolderOf(id) ?? []);
      const packages = readShippedPackages(path.join(root, 'node_modules'), bundled);
      const names = packages.map(({ name, version }) => `${name}@${version}`);
      this.emitFile({ type: 'asset', fileName: 'third-party-licenses.txt', source: formatLicenses(packages) });
      this.emitFile({ type: 'asset', fileName: '.vite/packages.json', source: `${JSON.stringify(names, null, 2)}\n` });
    },
  };
}

/** Returns the folder of the package that a module belongs to; null for modules of ours. */
export const packageFolderOf = (id: string): string | null =>
  /^[^\0]*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? null;

/** Returns production packages and bundled ones, each version once, by name. */
function readShippedPackages(modules: string, bundled: readonly string[]): ShippedPackage[] {
  const installed: Record<string, InstalledPackage> = JSON.parse(
    readFileSync(path.join(modules, '.package-lock.json'), 'utf8'),
  ).packages;
  const production = Object.keys(installed).filter((folder) => !installed[folder]?.dev);
  const folders = [
    ...production.map((folder) => path.join(modules, '..', folder)),
    ...[OF_STYLES, RUNTIME].map((name) => path.join(modules, name)),
    ...bundled,
  ];
  const packages = folders.filter((folder) => existsSync(path.join(folder, 'package.json'))).map(readPackage);
  const byName = new Map(packages.map((each) => [`${each.name}@${each.version}`, each]));
  return [...byName.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each);
}

function readPackage(folder: string): ShippedPackage {
  const { name, version, license, homepage, repository } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  );
  const texts = listLicenseFiles(name === RUNTIME ? path.join(folder, 'node_modules') : folder, name === RUNTIME);
  return {
    name,
    version,
    license: typeof license === 'string' ? license : (license?.type ?? 'not stated'),
    homepage: homepage ?? (typeof repository === 'string' ? repository : (repository?.url ?? '')),
    texts: texts.map((file) => readFileSync(file, 'utf8').replaceAll('\r\n', '\n').trim()),
  };
}

/** @param isNested of the Node program, whose files are in a package for its system */
function listLicenseFiles(folder: string, isNested: boolean): string[] {
  const folders = isNested
    ? readdirSync(folder).flatMap((name) => (/^node-(?!bin)/.test(name) ? path.join(folder, name) : []))
    : [folder];
  return folders.flatMap((each) =>
    readdirSync(each, { withFileTypes: true })
      .filter((entry) => entry.isFile() && LICENSE_FILE.test(entry.name))
      .map((entry) => path.join(each, entry.name))
      .sort(),
  );
}

/** Formats packages with the same text together. */
export function formatLicenses(packages: readonly ShippedPackage[]): string {
  const groups = Map.groupBy(packages, ({ license, texts }) =>
    texts.length > 0 ? texts.join('\n\n') : `No text in the package. License: ${license}`,
  );
  const sections = [...groups].map(([text, members]) => {
    const titles = members.map(({ name, version, license, homepage }) =>
      `${name} ${version} (${license}) ${homepage}`.trim(),
    );
    return `${'-'.repeat(80)}\n${titles.join('\n')}\n\n${text}\n`;
  });
  return `Emulsion contains the following ${packages.length} packages of others.\n\n${sections.join('\n')}`;
}
