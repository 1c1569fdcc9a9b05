import type { InputContract } from '#contract/task.ts';

/** Target of a column that chooses the model of each row. */
export const MODEL_TARGET = '@model';
/** Target of a column that is not used. */
export const IGNORED_TARGET = '';

/** The name of a field, `MODEL_TARGET` or `IGNORED_TARGET`. */
export type ColumnTarget = string;

const normalize = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** Returns the field or the model column that a column name means; `IGNORED_TARGET` for others. */
function matchColumn(column: string, contract: InputContract, has_models: boolean): ColumnTarget {
  const name = normalize(column);
  if (name === '') return IGNORED_TARGET;
  const field = contract.fields.find((each) => normalize(each.name) === name || normalize(each.label) === name);
  if (field) return field.name;
  return has_models && name === 'model' ? MODEL_TARGET : IGNORED_TARGET;
}

export interface ColumnMatching {
  contract: InputContract;
  /** Whether the task runs on models. */
  has_models: boolean;
  /** Targets that a person chose, by the index of the column. */
  chosen: Readonly<Record<number, ColumnTarget>>;
}

/**
 * Matches columns to fields by name or label, ignoring case and punctuation. A target is used once: by the column for
 * which it was chosen, else by the first column of that name.
 */
export function matchColumns(
  columns: readonly string[],
  { contract, has_models, chosen }: ColumnMatching,
): ColumnTarget[] {
  const isKnown = (target: ColumnTarget) =>
    target === IGNORED_TARGET ||
    (has_models && target === MODEL_TARGET) ||
    contract.fields.some(({ name }) => name === target);
  const chosenTargets = columns.map((_, at) => {
    const target = chosen[at];
    return target !== undefined && isKnown(target) ? target : undefined;
  });
  const taken = new Set(chosenTargets.filter((target) => target !== undefined && target !== IGNORED_TARGET));
  return columns.map((column, at) => {
    const own = chosenTargets[at];
    if (own !== undefined) return own;
    const target = matchColumn(column, contract, has_models);
    if (target === IGNORED_TARGET || taken.has(target)) return IGNORED_TARGET;
    taken.add(target);
    return target;
  });
}

/** Whether the first line of a file names its columns. */
export const looksLikeHeader = (cells: readonly string[], contract: InputContract): boolean =>
  cells.some((cell) => matchColumn(cell, contract, true) !== IGNORED_TARGET);
