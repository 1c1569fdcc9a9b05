import type { Asset } from '#contract/resources/generation.ts';
import type { Deps } from '#server/platform/deps.ts';
import { readOutputAssets } from '#server/studio/generations/read/present-generation.ts';
import { type RunItem, type RunStepsByKey, type RunRow, isList, itemStatus, stepStatus } from './run-steps.ts';

export const readRunAssets = (deps: Deps, parts: Iterable<RunStepsByKey>): Promise<Map<string, Asset[]>> =>
  readOutputAssets(
    deps,
    [...parts].flatMap((steps) =>
      [...steps.values()].flatMap(({ items }) =>
        items.flatMap(({ generation }) => (generation?.status === 'succeeded' ? [generation.id] : [])),
      ),
    ),
  );

/** A picture or video of the last step of each run that has one. */
export async function readPreviews(
  deps: Deps,
  rows: readonly { run: Pick<RunRow, 'id' | 'outline'> }[],
  parts: ReadonlyMap<string, RunStepsByKey>,
): Promise<Map<string, Asset>> {
  const candidates = new Map(
    rows.map(({ run: { id, outline } }) => [
      id,
      outline.toReversed().flatMap(({ key }) => {
        const items = parts.get(id)?.get(key)?.items ?? [];
        const generation = items.find((item) => item.generation?.status === 'succeeded')?.generation;
        return generation ? [generation.id] : [];
      }),
    ]),
  );
  const assets = await readOutputAssets(deps, [...candidates.values()].flat());
  return new Map(
    [...candidates].flatMap(([run_id, ids]) => {
      const shown = ids
        .flatMap((id) => assets.get(id) ?? [])
        .find((asset) => asset.type !== 'audio' && !asset.removed_at);
      return shown ? [[run_id, shown] as const] : [];
    }),
  );
}

interface StepOutput {
  status: string;
  output: { assets: Asset[]; data: unknown } | null;
  items: { item: unknown; index: number; status: string; output: { assets: Asset[]; data: unknown } | null }[];
}

/** @param keys the steps that may be read */
export async function readStepOutputs(
  deps: Deps,
  run: Pick<RunRow, 'status' | 'definition'>,
  parts: RunStepsByKey,
  keys: Iterable<string>,
): Promise<Record<string, StepOutput>> {
  const selectedSteps = new Map(
    [...keys].flatMap((key) => {
      const part = parts.get(key);
      return part ? [[key, part] as const] : [];
    }),
  );
  const assetsByGeneration = await readRunAssets(deps, [selectedSteps]);
  const outputOf = ({ generation }: RunItem) =>
    generation?.status === 'succeeded'
      ? { assets: assetsByGeneration.get(generation.id) ?? [], data: generation.output_data }
      : null;
  return Object.fromEntries(
    [...selectedSteps].map(([key, part]) => {
      const outputs = part.items.map(outputOf);
      const [first] = outputs;
      const hasItems = isList(run, key);
      const all = {
        assets: outputs.flatMap((output) => output?.assets ?? []),
        data: hasItems ? null : (first?.data ?? null),
      };
      const items = hasItems
        ? part.items.map((item, index) => ({
            item: item.row.item,
            index: item.row.index,
            status: itemStatus(run, item),
            output: outputs[index] ?? null,
          }))
        : [];
      const output = part.row.state === 'begun' ? all : null;
      return [key, { status: stepStatus(run, part), output, items }];
    }),
  );
}
