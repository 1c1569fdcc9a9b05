import type { Asset } from '#contract/resources/generation.ts';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';

/** A file of a run, with the generation that made it and its place among that one's files. */
export interface RunFile {
  asset: Asset;
  generation_id: string | null;
  index: number;
}

/** What a run gives, by the names of its starter. */
export type RunResult = { name: string } & ({ kind: 'files'; files: RunFile[] } | { kind: 'data'; value: unknown });

const toLabel = (name: string) => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Every file of a run by its id: links in the output may have run out, those of the steps are new with each reading. */
function filesById({ steps }: Pick<WorkflowRun, 'steps'>): Map<string, RunFile> {
  const files = new Map<string, RunFile>();
  for (const step of steps)
    for (const { generation_id, assets = [] } of [...(step.items ?? []), step])
      assets.forEach((asset, index) => {
        if (!files.has(asset.id)) files.set(asset.id, { asset, generation_id, index });
      });
  return files;
}

const isAsset = (value: unknown): value is Asset =>
  typeof value === 'object' && value !== null && 'id' in value && 'url' in value && 'type' in value;

/** Every file in a value, in order, however deep: `steps.clip.output` as a whole is a usual result. */
function assetsIn(value: unknown): Asset[] {
  if (isAsset(value)) return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(assetsIn) : [];
}

/** What came of a run that has ended well; empty while there is nothing. */
export function readResults(run: Pick<WorkflowRun, 'output' | 'steps'>): RunResult[] {
  const known = filesById(run);
  const fileOf = (asset: Asset): RunFile => known.get(asset.id) ?? { asset, generation_id: null, index: 0 };
  return Object.entries(run.output ?? {}).flatMap(([name, value]): RunResult[] => {
    // What a starter gives that names nothing itself.
    const label = name === 'assets' ? 'Result' : toLabel(name);
    const files = assetsIn(value).map(fileOf);
    if (files.length > 0) return [{ name: label, kind: 'files', files }];
    if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return [];
    return [{ name: label, kind: 'data', value }];
  });
}
