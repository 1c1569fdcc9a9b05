import type { AnyModelId, TaskId } from '#contract/ids.ts';
import { readDraft } from '#web/forms/values/drafts.ts';
import { effectiveContract } from '#web/forms/models/effective-contract.ts';
import type { NewBatchSearch } from '../batches-search.ts';
import { availableTasks, type Catalog, defaultModel } from './available-models.ts';
import { type BatchDraft, newBatchDraft, readBatchDraft, writeSharedValues } from './batch-draft.ts';
import { promptField } from '../rows/match-columns.ts';

/** Returns the draft to continue, or a new one. Coming from a form of Create, it takes the task, model and values of that. */
export function openDraft({ task, model }: NewBatchSearch, catalog: Catalog): BatchDraft {
  const stored = readBatchDraft();
  const kept = stored && effectiveContract(stored.task, stored.model, catalog.models) ? stored : undefined;
  const target = task === undefined ? null : findTarget(task, model, catalog);
  if (target) return fromCreate(target, kept, catalog);
  const [first = 'image.create'] = availableTasks(catalog);
  return withSource(kept ?? newBatchDraft(first, defaultModel(first, catalog)), catalog);
}

interface Target {
  task: TaskId;
  model: AnyModelId | null;
}

function findTarget(task: TaskId, named: AnyModelId | undefined, catalog: Catalog): Target | null {
  const model = named ?? defaultModel(task, catalog);
  return effectiveContract(task, model, catalog.models) ? { task, model } : null;
}

function fromCreate({ task, model }: Target, kept: BatchDraft | undefined, catalog: Catalog): BatchDraft {
  const contract = effectiveContract(task, model, catalog.models);
  const values = contract && readDraft(task, model, contract);
  if (values) writeSharedValues(task, model, values);
  const prompt = contract && values?.[promptField(contract)?.name ?? ''];
  const draft = newBatchDraft(task, model);
  const isSame = kept?.task === task;
  return withSource(
    {
      ...draft,
      ...kept,
      task,
      model,
      prompts: kept?.prompts.trim() || (typeof prompt === 'string' ? prompt : ''),
      grid_models: isSame && kept.grid_models.length > 0 ? kept.grid_models : draft.grid_models,
      grid_ratios: isSame ? kept.grid_ratios : [],
    },
    catalog,
  );
}

/** Which sources of orders a task has: prompts need a text, a grid several models. */
export function offersSource(source: BatchDraft['source'], { task, model }: Target, catalog: Catalog): boolean {
  if (source === 'csv') return true;
  const contract = effectiveContract(task, model, catalog.models);
  return source === 'prompts' ? contract !== undefined && promptField(contract) !== undefined : model !== null;
}

const withSource = (draft: BatchDraft, catalog: Catalog): BatchDraft =>
  offersSource(draft.source, draft, catalog) ? draft : { ...draft, source: 'csv' };
