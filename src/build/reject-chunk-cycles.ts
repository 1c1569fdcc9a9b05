import type { Plugin } from 'vite';

/** Fails the build when chunks import each other in a cycle: such a chunk may run before its imports have. */
export function rejectChunkCycles(): Plugin {
  return {
    name: 'emulsion:reject-chunk-cycles',
    generateBundle(_options, bundle) {
      const imports = Object.values(bundle).flatMap((file) =>
        file.type === 'chunk' ? [[file.fileName, file.imports] as const] : [],
      );
      const cycle = findCycle(new Map(imports));
      if (cycle) this.error(`Chunks import each other in a cycle: ${cycle.join(' → ')}`);
    },
  };
}

/** A path through the graph that ends where it begins; null where there is none. */
export function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] | null {
  const done = new Set<string>();
  const visit = (node: string, path: readonly string[]): string[] | null => {
    const start = path.indexOf(node);
    if (start !== -1) return [...path.slice(start), node];
    if (done.has(node)) return null;
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next, [...path, node]);
      if (cycle) return cycle;
    }
    done.add(node);
    return null;
  };
  for (const node of graph.keys()) {
    const cycle = visit(node, []);
    if (cycle) return cycle;
  }
  return null;
}
