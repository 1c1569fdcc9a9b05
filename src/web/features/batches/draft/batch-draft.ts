import type { AnyModelId, TaskId } from '#contract/ids.ts';
import { createDraftStorage } from '#web/api/drafts/draft-storage.ts';
import type { FormValues } from '#web/forms/values/form-values.ts';
import type { ColumnTarget } from '../rows/match-columns.ts';
import type { CsvFile } from '../rows/read-csv.ts';

export const BATCH_SOURCES = ['prompts', 'csv', 'grid'] as const;
export type BatchSource = (typeof BATCH_SOURCES)[number];

/** What a person has entered for a batch that is not started. The rows of a file are kept apart: see `readDraftFile`. */
export interface BatchDraft {
  task: TaskId;
  model: AnyModelId | null;
  source: BatchSource;
  /** One prompt per line. */
  prompts: string;
  /** Whether the first line of the file names its columns. */
  has_header: boolean;
  /** Targets that a person chose, by the index of the column. */
  targets: Readonly<Record<number, ColumnTarget>>;
  /** Whether rows of a file without a column for the prompt take that of the form. */
  shares_prompt: boolean;
  grid_models: readonly AnyModelId[];
  grid_ratios: readonly string[];
  /** Rows of the grid that are left out. */
  grid_excluded: readonly string[];
  name: string;
  stop_at_usd: string;
}

const DRAFT = 'draft';
// Apart from each other, because every change writes its storage anew.
const drafts = createDraftStorage<BatchDraft>('batch', 1);
const files = createDraftStorage<CsvFile>('batch-file', 1);
const sharedValues = createDraftStorage<FormValues>('batch-values', 20);

export const newBatchDraft = (task: TaskId, model: AnyModelId | null): BatchDraft => ({
  task,
  model,
  source: 'prompts',
  prompts: '',
  has_header: true,
  targets: {},
  shares_prompt: false,
  grid_models: model === null ? [] : [model],
  grid_ratios: [],
  grid_excluded: [],
  name: '',
  stop_at_usd: '',
});

export const readBatchDraft = (): BatchDraft | undefined => drafts.get(DRAFT);
export const writeBatchDraft = (draft: BatchDraft): void => drafts.set(DRAFT, draft);

export const readDraftFile = (): CsvFile | undefined => files.get(DRAFT);
export const writeDraftFile = (file: CsvFile | null): void =>
  file === null ? files.delete(DRAFT) : files.set(DRAFT, file);

const valuesKey = (task: TaskId, model: AnyModelId | null) => `${task}/${model ?? ''}`;

/** The values that all orders share, of the form of a task on a model. */
export const readSharedValues = (task: TaskId, model: AnyModelId | null): FormValues | undefined =>
  sharedValues.get(valuesKey(task, model));
export const writeSharedValues = (task: TaskId, model: AnyModelId | null, values: FormValues): void =>
  sharedValues.set(valuesKey(task, model), values);

/** Deletes the draft, but not the values of the forms, with which the next one starts. */
export function deleteBatchDraft(): void {
  drafts.delete(DRAFT);
  files.delete(DRAFT);
}
