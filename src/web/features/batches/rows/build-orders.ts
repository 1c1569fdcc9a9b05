import type { AnyModelId, TaskId } from '#contract/ids.ts';
import { MAX_MEDIA_NAME_LENGTH } from '#contract/limits.ts';
import { cleanName } from '#contract/one-line.ts';
import type { Model } from '#contract/resources/catalog.ts';
import { fieldDefault, type FieldSpec, type InputContract } from '#contract/task.ts';
import { isModelId, modelsForTask } from '#web/api/known-models.ts';
import { modelName } from '#web/api/model-names.ts';
import { effectiveContract } from '#web/forms/models/effective-contract.ts';
import { toInput, type FormValues } from '#web/forms/values/form-values.ts';
import { findTargetField, switchInput } from '#web/forms/models/switch-input.ts';
import type { BatchRow } from './batch-table.ts';
import { IGNORED_TARGET, MODEL_TARGET, NAME_TARGET, targetedTag, type ColumnTarget } from './match-columns.ts';
import { type FindMedia, parseCell } from './parse-cell.ts';

export interface BatchOrder {
  task: TaskId;
  model: AnyModelId | null;
  input: Record<string, unknown>;
  /** Tags of its row, which win over those of the batch. */
  metadata?: Record<string, string>;
  /** Of its files. */
  name?: string;
}

/** `target` is the field or the model that is wrong; null if the problem concerns the whole row. */
export interface RowProblem {
  target: ColumnTarget | null;
  message: string;
}

const NO_FIELD: ReadonlySet<ColumnTarget> = new Set([IGNORED_TARGET, MODEL_TARGET, NAME_TARGET]);

export type RowResult =
  | { row: BatchRow; state: 'order'; order: BatchOrder }
  | { row: BatchRow; state: 'problem'; problems: readonly RowProblem[] }
  /** Media of the row are being looked up. */
  | { row: BatchRow; state: 'pending' };

export interface OrderSettings {
  task: TaskId;
  /** The model of rows that name none. */
  model: AnyModelId | null;
  /** Of the models query. */
  models: readonly Model[] | undefined;
  contract: InputContract;
  /** Values of the fields that no column fills. */
  values: FormValues;
  /** Target of each column. */
  targets: readonly ColumnTarget[];
  findMedia: FindMedia;
}

interface ModelForm {
  contract: InputContract;
  values: FormValues;
}

/** Builds an order from each row. Empty cells take the value that the other orders have. */
export function buildOrders(rows: readonly BatchRow[], settings: OrderSettings): RowResult[] {
  const forms = new Map<AnyModelId | null, ModelForm | undefined>();
  const formOf = (model: AnyModelId | null) => {
    if (!forms.has(model)) forms.set(model, adaptForm(settings, model));
    return forms.get(model);
  };
  return rows.map((row) => buildOrder(row, settings, formOf));
}

function adaptForm({ task, model, models, contract, values }: OrderSettings, to: AnyModelId | null) {
  if (to === model) return { contract, values };
  const other = effectiveContract(task, to, models);
  return other && { contract: other, values: switchInput(contract, other, values).values };
}

function buildOrder(
  row: BatchRow,
  settings: OrderSettings,
  formOf: (model: AnyModelId | null) => ModelForm | undefined,
): RowResult {
  const { targets, task, contract, findMedia } = settings;
  if (row.cells.length > targets.length)
    return rejected(row, [
      {
        target: null,
        message: `The row has ${row.cells.length} values for ${targets.length} columns. Put text with separators in quotes.`,
      },
    ]);
  const at = targets.indexOf(MODEL_TARGET);
  const named = (row.cells[at] ?? '').trim();
  const model = named === '' ? settings.model : findModel(named, settings);
  const form = model === undefined ? undefined : formOf(model);
  if (model === undefined || !form)
    return rejected(row, [{ target: MODEL_TARGET, message: `No model “${named}” for this task.` }]);

  const values: Record<string, unknown> = { ...form.values };
  const metadata: Record<string, string> = {};
  const problems: RowProblem[] = [];
  let isPending = false;
  for (const [column, target] of targets.entries()) {
    const text = row.cells[column] ?? '';
    if (NO_FIELD.has(target) || text.trim() === '') continue;
    const tag = targetedTag(target);
    if (tag !== null) {
      metadata[tag] = text.trim();
      continue;
    }
    const source = contract.fields.find(({ name }) => name === target);
    const field = source && targetField(source, settings, form.contract);
    if (!source) continue;
    if (!field) {
      problems.push({
        target,
        message: `${model ? modelName(model, settings.models) : 'The task'} has no such option.`,
      });
      continue;
    }
    const parsed = parseCell(field, text, findMedia);
    if (parsed.ok) values[field.name] = parsed.value;
    else if ('problem' in parsed) problems.push({ target, message: parsed.problem });
    else isPending = true;
  }
  if (problems.length > 0) return rejected(row, problems);
  if (isPending) return { row, state: 'pending' };
  const order: BatchOrder = { task, model, input: withoutDefaults(form.contract, values) };
  if (Object.keys(metadata).length > 0) order.metadata = metadata;
  const name = cleanName(row.cells[targets.indexOf(NAME_TARGET)], MAX_MEDIA_NAME_LENGTH);
  if (name !== '') order.name = name;
  return { row, state: 'order', order };
}

const rejected = (row: BatchRow, problems: readonly RowProblem[]): RowResult => ({ row, state: 'problem', problems });

function findModel(named: string, { task, models }: OrderSettings): AnyModelId | undefined {
  const name = named.toLowerCase();
  return modelsForTask(task).find(
    (id) => (isModelId(id) && id.toLowerCase() === name) || modelName(id, models).toLowerCase() === name,
  );
}

function targetField(source: FieldSpec, { contract }: OrderSettings, to: InputContract): FieldSpec | undefined {
  return to === contract ? source : findTargetField(source, to, new Set(contract.fields.map(({ name }) => name)));
}

/** Values that the service fills in are left out, because a long list must fit into one request. */
function withoutDefaults(contract: InputContract, values: FormValues): Record<string, unknown> {
  const input = toInput(contract, values);
  return Object.fromEntries(
    contract.fields.flatMap((field) => {
      const value = input[field.name];
      return value === undefined || value === fieldDefault(field) ? [] : [[field.name, value]];
    }),
  );
}
