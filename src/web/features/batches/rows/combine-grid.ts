import type { AnyModelId } from '#contract/ids.ts';
import type { InputContract } from '#contract/task.ts';
import { isRatioField, parseAspectRatio } from '#web/forms/models/compare-options.ts';
import type { BatchRow } from './batch-table.ts';

/** Returns the aspect ratios of a contract, as "16:9" or the name of the option. */
export function ratioOptions(contract: InputContract): string[] {
  const field = contract.fields.find(isRatioField);
  return field?.kind === 'choice' ? [...new Set(field.options.map((option) => ratioName(String(option))))] : [];
}

/** "1536x1024" → "3:2". */
function ratioName(option: string): string {
  const size = /^(\d+)x(\d+)$/.exec(option);
  if (!size) return option;
  const [width, height] = [Number(size[1]), Number(size[2])];
  const divisor = greatestCommonDivisor(width, height);
  return `${width / divisor}:${height / divisor}`;
}

const greatestCommonDivisor = (a: number, b: number): number => (b === 0 ? a : greatestCommonDivisor(b, a % b));

export const hasRatio = (contract: InputContract, ratio: string): boolean =>
  ratioOptions(contract).some(
    (option) =>
      option === ratio || (parseAspectRatio(ratio) !== null && parseAspectRatio(option) === parseAspectRatio(ratio)),
  );

export interface GridChoice {
  models: readonly AnyModelId[];
  ratios: readonly string[];
  contractOf: (model: AnyModelId) => InputContract | undefined;
  /** Ids of rows that were left out. */
  excluded: ReadonlySet<string>;
}

/** Returns a row (model, ratio) for each combination that exists. Without ratios, a row for each model. */
export function combineGrid({ models, ratios, contractOf, excluded }: GridChoice): BatchRow[] {
  const rows = models.flatMap((model) => {
    const contract = contractOf(model);
    if (!contract) return [];
    const fitting = ratios.filter((ratio) => hasRatio(contract, ratio));
    return (ratios.length === 0 ? [''] : fitting).map((ratio) => ({ id: `${model} ${ratio}`, cells: [model, ratio] }));
  });
  return rows.flatMap((row, at) => (excluded.has(row.id) ? [] : [{ ...row, number: at + 1 }]));
}
