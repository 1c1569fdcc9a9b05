import type { Tag } from '#contract/resources/tag.ts';
import type { InputContract, TextFieldSpec } from '#contract/task.ts';
import type { BatchRow } from './batch-table.ts';

/** Target of a column that chooses the model of each row. */
export const MODEL_TARGET = '@model';
/** Target of a column that names the files of each row. */
export const NAME_TARGET = '@name';
/** Target of a column that is not used. */
export const IGNORED_TARGET = '';

/** The name of a field, `MODEL_TARGET`, `NAME_TARGET`, that of a tag or `IGNORED_TARGET`. */
export type ColumnTarget = string;

const TAG_PREFIX = '@tag.';
/** A tag of the organization that a column can fill. */
export type ColumnTag = Pick<Tag, 'name' | 'label'>;
/** Target of a column with the values of a tag. */
export const tagTarget = ({ name }: ColumnTag): ColumnTarget => TAG_PREFIX + name;
/** The name of the tag that a target is; null: it is another one. */
export const targetedTag = (target: ColumnTarget): string | null =>
  target.startsWith(TAG_PREFIX) ? target.slice(TAG_PREFIX.length) : null;

export const targetLabel = (
  target: ColumnTarget,
  { fields }: Pick<InputContract, 'fields'>,
  tags: readonly ColumnTag[],
): string =>
  SPECIAL_LABELS[target] ??
  [...fields, ...tags.map((tag) => ({ ...tag, name: tagTarget(tag) }))].find(({ name }) => name === target)?.label ??
  target;

export const SPECIAL_LABELS: Readonly<Record<ColumnTarget, string>> = {
  [MODEL_TARGET]: 'Model',
  [NAME_TARGET]: 'File name',
};
/** Columns that name files, in product lists and shot lists. */
const NAME_COLUMNS: ReadonlySet<string> = new Set(['name', 'filename', 'product', 'productname', 'title', 'sku']);

export const promptField = ({ fields }: InputContract): TextFieldSpec | undefined =>
  fields.find((field): field is TextFieldSpec => field.kind === 'text' && field.required === true);

const normalize = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** Whether a line of a list of prompts only says "Prompt". */
export const isHeading = (line: string, { name, label }: TextFieldSpec): boolean =>
  [name, label].some((each) => normalize(each) === normalize(line));

/** Returns the field, the model column or the tag that a column name means; `IGNORED_TARGET` for others. */
function matchColumn(column: string, { contract, has_models, tags }: Omit<ColumnMatching, 'chosen'>): ColumnTarget {
  const name = normalize(column);
  if (name === '') return IGNORED_TARGET;
  const field = contract.fields.find((each) => normalize(each.name) === name || normalize(each.label) === name);
  if (field) return field.name;
  if (has_models && name === 'model') return MODEL_TARGET;
  const tag = tags.find((each) => normalize(each.name) === name || normalize(each.label) === name);
  if (tag) return tagTarget(tag);
  return NAME_COLUMNS.has(name) ? NAME_TARGET : IGNORED_TARGET;
}

export interface ColumnMatching {
  contract: InputContract;
  /** Whether the task runs on models. */
  has_models: boolean;
  tags: readonly ColumnTag[];
  /** Targets that a person chose, by the index of the column. */
  chosen: Readonly<Record<number, ColumnTarget>>;
}

/**
 * Matches columns to fields by name or label, ignoring case and punctuation. A target is used once: by the column for
 * which it was chosen, else by the first column of that name. The only column of a table is the prompt.
 */
export function matchColumns(
  columns: readonly string[],
  { contract, has_models, tags, chosen }: ColumnMatching,
): ColumnTarget[] {
  const isKnown = (target: ColumnTarget) =>
    target === IGNORED_TARGET ||
    target === NAME_TARGET ||
    (has_models && target === MODEL_TARGET) ||
    tags.some((tag) => tagTarget(tag) === target) ||
    contract.fields.some(({ name }) => name === target);
  const chosenTargets = columns.map((_, at) => {
    const target = chosen[at];
    return target !== undefined && isKnown(target) ? target : undefined;
  });
  const taken = new Set(chosenTargets.filter((target) => target !== undefined && target !== IGNORED_TARGET));
  const prompt = promptField(contract)?.name ?? IGNORED_TARGET;
  return columns.map((column, at) => {
    const own = chosenTargets[at];
    if (own !== undefined) return own;
    const matched = matchColumn(column, { contract, has_models, tags });
    const target = matched === IGNORED_TARGET && columns.length === 1 ? prompt : matched;
    if (target === IGNORED_TARGET || taken.has(target)) return IGNORED_TARGET;
    taken.add(target);
    return target;
  });
}

const MAX_COLUMN_NAME_LENGTH = 60;
const countWords = (text: string) => text.trim().split(/\s+/).length;

/** Whether a cell can be no column name, because it is a number, a ratio, a link, an option or a long text. */
function isValue(cell: string, { fields }: InputContract): boolean {
  const text = cell.trim();
  if (text.length > MAX_COLUMN_NAME_LENGTH || /^[\d.,-]|:\/\//.test(text)) return true;
  const options = fields.flatMap((field) => (field.kind === 'choice' ? field.options : []));
  return options.some((option) => String(option).toLowerCase() === text.toLowerCase());
}

/**
 * Whether the first line of a table names its columns. Names that no field has count too, in a table with several columns
 * and above longer texts: to leave out a row by mistake costs nothing, to order a heading does.
 */
export function looksLikeHeader(
  [first, ...others]: readonly Pick<BatchRow, 'cells'>[],
  contract: InputContract,
): boolean {
  const cells = first?.cells ?? [];
  if (cells.some((cell) => matchColumn(cell, { contract, has_models: true, tags: [] }) !== IGNORED_TARGET)) return true;
  const names = cells.filter((cell) => cell.trim() !== '');
  if (others.length === 0 || names.some((name) => isValue(name, contract))) return false;
  if (cells.length > 1) return new Set(names).size === names.length;
  return countWords(cells[0] ?? '') <= 2 && others.every((row) => countWords(row.cells[0] ?? '') > 2);
}

/** Whether pasted text is a table instead of a list of prompts. */
export function looksLikeTable(text: string, contract: InputContract): boolean {
  const lines = text.split(/\r\n|[\n\r]/).filter((line) => line.trim() !== '');
  const [first = ''] = lines;
  // Cells that are copied from a spreadsheet.
  if (first.includes('\t')) return true;
  const prompt = promptField(contract);
  const namesPrompt = (line: string, separator: string) => {
    const cells = line.split(separator);
    return cells.length > 1 && cells.some((cell) => prompt !== undefined && isHeading(cell, prompt));
  };
  if (lines.length > 1 && [';', ',', '|'].some((separator) => namesPrompt(first, separator))) return true;
  const semicolons = lines.map((line) => line.split(';').length);
  return lines.length > 1 && semicolons.every((count) => count > 1 && count === semicolons[0]);
}
