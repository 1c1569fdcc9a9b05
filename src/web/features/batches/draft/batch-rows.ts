import type { AnyModelId } from '#contract/ids.ts';
import type { Model } from '#contract/resources/catalog.ts';
import type { InputContract, TextFieldSpec } from '#contract/task.ts';
import { modelsForTask } from '#web/api/known-models.ts';
import { isRatioField } from '#web/forms/models/compare-options.ts';
import { effectiveContract } from '#web/forms/models/effective-contract.ts';
import { type BatchRow, readPromptLines } from '../rows/batch-table.ts';
import { combineGrid } from '../rows/combine-grid.ts';
import {
  IGNORED_TARGET,
  isHeading,
  MODEL_TARGET,
  matchColumns,
  promptField,
  type ColumnTag,
  type ColumnTarget,
} from '../rows/match-columns.ts';
import type { CsvFile } from '../rows/read-csv.ts';
import type { BatchDraft } from './batch-draft.ts';

/** The rows of a draft and what their columns fill. */
export interface BatchRows {
  rows: readonly BatchRow[];
  columns: readonly string[];
  targets: readonly ColumnTarget[];
  /** The field that only a column may fill, unless a person says that all rows have the same value. */
  missingField: string | null;
  /** Why no row can be an order. */
  problem: string | null;
}

/** Names of the columns of a file; numbers where it has none. */
function fileColumns({ lines }: CsvFile, hasHeader: boolean): string[] {
  const [first] = lines;
  if (hasHeader) return (first?.cells ?? []).map((cell, at) => cell.trim() || `Column ${at + 1}`);
  const width = Math.max(0, ...lines.map(({ cells }) => cells.length));
  return Array.from({ length: width }, (_, at) => `Column ${at + 1}`);
}

const NO_ROWS: BatchRows = { rows: [], columns: [], targets: [], missingField: null, problem: null };

type RowSource = Pick<
  BatchDraft,
  | 'task'
  | 'source'
  | 'prompts'
  | 'has_header'
  | 'targets'
  | 'shares_prompt'
  | 'grid_models'
  | 'grid_ratios'
  | 'grid_excluded'
>;

export function readBatchRows(
  draft: RowSource,
  file: CsvFile | null,
  contract: InputContract,
  models: readonly Model[] | undefined,
  tags: readonly ColumnTag[],
): BatchRows {
  const { task, source } = draft;
  if (source === 'prompts') {
    const field = promptField(contract);
    if (!field) return NO_ROWS;
    const lines = readPromptLines(draft.prompts);
    const hasHeading = lines.length > 1 && isHeading(lines[0]?.cells[0] ?? '', field);
    return {
      ...NO_ROWS,
      rows: hasHeading ? lines.slice(1) : lines,
      columns: [field.label],
      targets: [field.name],
    };
  }
  if (source === 'grid') {
    const ratio = contract.fields.find(isRatioField);
    const contractOf = (model: AnyModelId) => effectiveContract(task, model, models);
    return {
      ...NO_ROWS,
      rows: combineGrid({
        models: draft.grid_models,
        ratios: ratio ? draft.grid_ratios : [],
        contractOf,
        excluded: new Set(draft.grid_excluded),
      }),
      columns: ['Model', ratio?.label ?? 'Shape'],
      targets: [MODEL_TARGET, ratio && draft.grid_ratios.length > 0 ? ratio.name : IGNORED_TARGET],
    };
  }
  if (!file) return NO_ROWS;
  const columns = fileColumns(file, draft.has_header);
  const targets = matchColumns(columns, {
    contract,
    has_models: modelsForTask(task).length > 0,
    tags,
    chosen: draft.targets,
  });
  const rows = draft.has_header ? file.lines.slice(1) : file.lines;
  const prompt = promptField(contract);
  const missing = prompt && !draft.shares_prompt && !targets.includes(prompt.name) ? prompt : undefined;
  return {
    rows,
    columns,
    targets,
    missingField: missing?.name ?? null,
    problem: rows.length > 0 ? columnProblem(targets, missing) : null,
  };
}

function columnProblem(targets: readonly ColumnTarget[], missing: TextFieldSpec | undefined): string | null {
  if (targets.every((target) => target === IGNORED_TARGET))
    return 'No column is used. Choose what each one fills under “Columns”.';
  return missing ? `No column is the ${missing.label.toLowerCase()}. Choose it under “Columns”.` : null;
}
