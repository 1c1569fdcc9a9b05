import path from 'node:path';
import type { Rolldown } from 'vite';

type CodeSplittingGroups = NonNullable<Rolldown.CodeSplittingOptions['groups']>;
type GetModuleInfo = (id: string) => Pick<Rolldown.ModuleInfo, 'code' | 'importedIds'> | null;

const DIALOG_FORMS = /^node_modules\/react-hook-form\/|^src\/web\/forms\/(?:form-dialog|amount-field)\.tsx$/;
const SCHEMAS = /^node_modules\/zod\/|^src\/contract\//;
const OF_A_FEATURE = /^src\/web\/(?:features|media)\//;
/** The module of a package that exports all others: importing one name from it does not need every module. */
const BARREL = /^node_modules\/.*\/(?:index|lucide-react)\.m?js$/;

/** Chunks without a name of their own are named after the first module, and told apart by a suffix after "~". */
export const chunkFileNames = ({ name }: { name: string }): string => `assets/${name.split('~')[0]}-[hash].js`;

/**
 * Assigns modules to chunks, first match first: the entry, what the first page shares with others, what many pages share,
 * and so on. Each module is shared by at least as many pages as the modules that import it, so chunks cannot import each
 * other in a cycle.
 * @param root folder of the project; groups depend on paths below it only, so that builds in two folders are the same
 * @param firstPage path of the first page's module below `root`
 */
export function chunkGroups(root: string, firstPage: string): CodeSplittingGroups {
  const firstPageModules = new WeakMap<Rolldown.ChunkingContext, Set<string>>();
  const isFirstPage = (id: string) => path.relative(root, id) === firstPage;
  const isOfFirstPage = (id: string, context: Rolldown.ChunkingContext) => {
    const known = firstPageModules.get(context);
    if (known) return known.has(id);
    const modules = staticImports(path.join(root, firstPage), root, (each) => context.getModuleInfo(each));
    firstPageModules.set(context, modules);
    return modules.has(id);
  };
  const matches = (pattern: RegExp) => (id: string) => pattern.test(path.relative(root, id));
  return [
    { name: 'app', tags: ['$initial'] },
    {
      debugName: 'studio',
      // The page's own module keeps its chunk, whose name the manifest has.
      name: (id, context) => (!isFirstPage(id) && isOfFirstPage(id, context) ? 'studio' : null),
    },
    // Large, and few pages have a graph.
    { name: 'graphs', test: matches(/^node_modules\/@dagrejs\//) },
    // Other pages do not import what those of one feature share.
    { name: 'kit', test: (id) => !matches(DIALOG_FORMS)(id) && !matches(OF_A_FEATURE)(id), minShareCount: 6 },
    // Many dialogs share them, and no page needs them before one opens.
    { name: 'dialog-forms', test: matches(DIALOG_FORMS) },
    // The schemas are large, and several pages do without them.
    { name: 'schemas', test: matches(SCHEMAS), minShareCount: 2 },
    { name: 'shared', minShareCount: 2, entriesAware: true },
  ];
}

const withoutCase = (name: string) => name.replaceAll('-', '').toLowerCase();

/**
 * The modules that `entry` imports statically, itself or through others. Of a package behind a barrel these are the
 * modules whose file is named like something that is imported.
 */
export function staticImports(entry: string, root: string, getModuleInfo: GetModuleInfo): Set<string> {
  const modules = new Set<string>();
  const barrels = new Set<string>();
  const names = new Set<string>();
  const isBarrel = (id: string) => BARREL.test(path.relative(root, id));
  const visit = (id: string) => {
    const info = getModuleInfo(id);
    if (!info || modules.has(id)) return;
    if (isBarrel(id)) {
      barrels.add(id);
      return;
    }
    modules.add(id);
    for (const name of importedNames(info.code ?? '')) names.add(withoutCase(name));
    info.importedIds.forEach(visit);
  };
  visit(entry);
  // A module behind a barrel may import further names and barrels.
  for (let before = -1; before < modules.size + barrels.size;) {
    before = modules.size + barrels.size;
    for (const barrel of barrels) {
      const behind = getModuleInfo(barrel)?.importedIds ?? [];
      behind.filter((id) => isBarrel(id) || names.has(withoutCase(path.parse(id).name))).forEach(visit);
    }
  }
  return modules;
}

export const importedNames = (code: string): string[] =>
  [...code.matchAll(/import\s*\{([^}]*)\}/g)]
    .flatMap(([, list = '']) => list.split(','))
    .map((name) => name.split(' as ')[0]?.trim() ?? '')
    .filter(Boolean);
