import type { Asset } from '#contract/resources/generation.ts';
import type { WorkflowRun, WorkflowRunStep } from '#contract/resources/workflow-run.ts';

/** A file of a run, the generation that created it, and its index among that generation's files. */
export interface RunFile {
  asset: Asset;
  generation_id: string | null;
  index: number;
}

export type RunResult = { name: string } & ({ kind: 'files'; files: RunFile[] } | { kind: 'data'; value: unknown });

/** "allOfThem" → "All of them" */
export const toLabel = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Maps file IDs to files. Links in the output can have expired; those of the steps are fresh with each response. */
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

function assetsIn(value: unknown): Asset[] {
  if (isAsset(value)) return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(assetsIn) : [];
}

/** Returns the results of a succeeded run; empty before. */
export function readResults(run: Pick<WorkflowRun, 'output' | 'steps'>): RunResult[] {
  const filesByAssetId = filesById(run);
  const fileOf = (asset: Asset): RunFile => filesByAssetId.get(asset.id) ?? { asset, generation_id: null, index: 0 };
  return Object.entries(run.output ?? {}).flatMap(([name, value]): RunResult[] => {
    // The default output has this name.
    const label = name === 'assets' ? 'Result' : toLabel(name);
    const files = assetsIn(value).map(fileOf);
    if (files.length > 0) return [{ name: label, kind: 'files', files }];
    if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return [];
    return [{ name: label, kind: 'data', value }];
  });
}

export const stepFiles = ({ assets, items }: Pick<WorkflowRunStep, 'assets' | 'items'>): Asset[] =>
  assets && assets.length > 0 ? assets : (items ?? []).flatMap((item) => item.assets ?? []);
