import { modelsForTask } from '#contract/catalog.ts';
import type { ModelId } from '#contract/ids.ts';
import type { Model } from '#contract/resources/catalog.ts';
import type { InputContract, TextFieldSpec } from '#contract/task.ts';
import { isRatioField } from '#web/forms/compare-options.ts';
import { effectiveContract } from '#web/forms/effective-contract.ts';
import { type BatchRow, readPromptLines } from '../rows/batch-table.ts';
import { combineGrid } from '../rows/combine-grid.ts';
import { IGNORED_TARGET, MODEL_TARGET, matchColumns, type ColumnTarget } from '../rows/match-columns.ts';
import type { CsvFile } from '../rows/read-csv.ts';
import type { BatchDraft } from './batch-draft.ts';

/** The rows of a draft and what their columns fill. */
export interface BatchRows {
  rows: readonly BatchRow[];
  columns: readonly string[];
  targets: readonly ColumnTarget[];
}

export const promptField = ({ fields }: InputContract): TextFieldSpec | undefined =>
  fields.find((field) => field.kind === 'text');

/** Names of the columns of a file; numbers where it has none. */
function fileColumns({ lines }: CsvFile, has_header: boolean): string[] {
  const [first] = lines;
  if (has_header) return (first?.cells ?? []).map((cell, at) => cell.trim() || `Column ${at + 1}`);
  const width = Math.max(0, ...lines.map(({ cells }) => cells.length));
  return Array.from({ length: width }, (_, at) => `Column ${at + 1}`);
}

type RowSource = Pick<
  BatchDraft,
  'task' | 'source' | 'prompts' | 'has_header' | 'targets' | 'grid_models' | 'grid_ratios' | 'grid_excluded'
>;

export function readBatchRows(
  draft: RowSource,
  file: CsvFile | null,
  contract: InputContract,
  models: readonly Model[] | undefined,
): BatchRows {
  const { task, source } = draft;
  if (source === 'prompts') {
    const field = promptField(contract);
    return field
      ? { rows: readPromptLines(draft.prompts), columns: [field.label], targets: [field.name] }
      : { rows: [], columns: [], targets: [] };
  }
  if (source === 'grid') {
    const ratio = contract.fields.find(isRatioField);
    const contractOf = (model: ModelId) => effectiveContract(task, model, models);
    return {
      rows: combineGrid({
        models: draft.grid_models,
        ratios: ratio ? draft.grid_ratios : [],
        contractOf,
        excluded: new Set(draft.grid_excluded),
      }),
      columns: ['Model', ratio?.label ?? 'Aspect ratio'],
      targets: [MODEL_TARGET, ratio && draft.grid_ratios.length > 0 ? ratio.name : IGNORED_TARGET],
    };
  }
  if (!file) return { rows: [], columns: [], targets: [] };
  const columns = fileColumns(file, draft.has_header);
  return {
    rows: draft.has_header ? file.lines.slice(1) : file.lines,
    columns,
    targets: matchColumns(columns, {
      contract,
      has_models: modelsForTask(task).length > 0,
      chosen: draft.targets,
    }),
  };
}
