import type { Asset } from '#contract/resources/generation.ts';
import type { Deps } from '../../deps.ts';
import { type Presenting, assetsOf } from '../../generations/present.ts';
import { type ItemPart, type RunParts, type RunRow, itemStatus, stepStatus } from './run-parts.ts';

export type ReadingOutputs = Presenting & { db: Pick<Deps['db'], 'select'> };

/** What the steps of runs made, by the generations' ids. */
export const readAssets = (deps: ReadingOutputs, parts: Iterable<RunParts>): Promise<Map<string, Asset[]>> =>
  assetsOf(
    deps,
    [...parts].flatMap((steps) =>
      [...steps.values()].flatMap(({ items }) =>
        items.flatMap(({ generation }) => (generation?.status === 'succeeded' ? [generation.id] : [])),
      ),
    ),
  );

/** What expressions see of a step. */
interface StepOutput {
  status: string;
  output: { assets: Asset[]; data: unknown } | null;
  items: { item: unknown; index: number; status: string; output: { assets: Asset[]; data: unknown } | null }[];
}

/**
 * What steps gave, as expressions see it.
 * @param keys the steps that may be seen
 */
export async function stepOutputs(
  deps: ReadingOutputs,
  run: Pick<RunRow, 'status'>,
  parts: RunParts,
  keys: Iterable<string>,
): Promise<Record<string, StepOutput>> {
  const seen = new Map(
    [...keys].flatMap((key) => {
      const part = parts.get(key);
      return part ? [[key, part] as const] : [];
    }),
  );
  const made = await readAssets(deps, [seen]);
  const outputOf = ({ generation }: ItemPart) =>
    generation?.status === 'succeeded' ? { assets: made.get(generation.id) ?? [], data: generation.output_data } : null;
  return Object.fromEntries(
    [...seen].map(([key, part]) => {
      const outputs = part.items.map(outputOf);
      const [first] = outputs;
      const isList = part.items.length !== 1 || part.items[0]?.row.item !== null;
      const all = {
        assets: outputs.flatMap((output) => output?.assets ?? []),
        data: isList ? null : (first?.data ?? null),
      };
      const items = isList
        ? part.items.map((item, place) => ({
            item: item.row.item,
            index: item.row.index,
            status: itemStatus(run, item),
            output: outputs[place] ?? null,
          }))
        : [];
      const output = part.row.state === 'begun' ? all : null;
      return [key, { status: stepStatus(run, part), output, items }];
    }),
  );
}
