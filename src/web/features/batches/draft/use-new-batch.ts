import { useDeferredValue, useMemo, useState } from 'react';
import { modelsForTask } from '#contract/catalog.ts';
import type { ModelId, TaskId } from '#contract/ids.ts';
import { effectiveContract } from '#web/forms/effective-contract.ts';
import { initialValues } from '#web/forms/form-values.ts';
import { switchInput } from '#web/forms/switch-input.ts';
import { useTagValues } from '#web/forms/tags/tag-values.ts';
import { useDebouncedValues } from '#web/forms/use-debounced-values.ts';
import { useDryRun } from '../check/use-dry-run.ts';
import { useMediaLookup } from '../check/use-media-lookup.ts';
import { buildOrders } from '../rows/build-orders.ts';
import { IGNORED_TARGET, MODEL_TARGET } from '../rows/match-columns.ts';
import { type Catalog, defaultModel } from './available-models.ts';
import { type BatchDraft, readSharedValues, writeSharedValues } from './batch-draft.ts';
import { readBatchRows } from './batch-rows.ts';
import { rowActions } from './change-rows.ts';
import { offersSource } from './open-draft.ts';
import { useBatchForm } from './use-batch-form.ts';
import { useSharedForm } from './use-shared-form.ts';
import { useStable } from './use-stable.ts';

const EMPTY_CONTRACT = { fields: [], rules: [] };

/** The model whose form the orders share: in a grid the first one that is chosen. */
const sharedModel = ({ source, model, grid_models }: BatchDraft): ModelId | null =>
  source === 'grid' ? (grid_models[0] ?? model) : model;

/** Everything that a new batch is made of: the draft, its rows, the form that they share, and the dry run. */
export function useNewBatch(initial: () => BatchDraft, catalog: Catalog) {
  const { form, file, setFile } = useBatchForm(initial);
  const draft = form.watch();
  const { task, source } = draft;
  const model = sharedModel(draft);
  const contract = effectiveContract(task, model, catalog.models) ?? EMPTY_CONTRACT;

  const prompts = useDeferredValue(draft.prompts);
  const { has_header, targets, shares_prompt, grid_models, grid_ratios, grid_excluded } = draft;
  const options = useStable({
    task,
    source,
    has_header,
    targets,
    shares_prompt,
    grid_models,
    grid_ratios,
    grid_excluded,
  });
  const rows = useMemo(
    () => readBatchRows({ ...options, prompts }, file, contract, catalog.models),
    [options, prompts, file, contract, catalog.models],
  );
  // Only on request do rows take a prompt that was typed somewhere else.
  const filled = [...rows.targets, rows.missingField ?? IGNORED_TARGET].filter(
    (target) => target !== IGNORED_TARGET && target !== MODEL_TARGET,
  );
  const [revision, setRevision] = useState(0);
  const sharedForm = useSharedForm(task, model, contract, filled, revision);
  const values = useDebouncedValues(sharedForm);
  const lookup = useMediaLookup(rows, contract);
  const { findMedia } = lookup;
  const results = useMemo(
    () =>
      buildOrders(rows.rows, {
        task,
        model,
        models: catalog.models,
        contract,
        values: { ...initialValues(contract), ...values },
        targets: rows.targets,
        findMedia,
      }),
    [rows, task, model, catalog.models, contract, values, findMedia],
  );
  const tags = useTagValues();
  const metadata = Object.keys(tags).length > 0 ? tags : undefined;
  const dryRun = useDryRun(results, metadata);

  const actions = useMemo(() => rowActions(source, form, setFile), [source, form, setFile]);

  const switchTo = (nextTask: TaskId, next: ModelId | null) => {
    const to = effectiveContract(nextTask, next, catalog.models);
    if (!to) return;
    const current = { ...initialValues(contract), ...readSharedValues(task, model), ...sharedForm.values() };
    writeSharedValues(nextTask, next, switchInput(contract, to, current).values);
    setRevision((count) => count + 1);
  };
  return {
    form,
    draft,
    file,
    setFile,
    rows,
    contract,
    model,
    has_models: modelsForTask(task).length > 0,
    sharedForm,
    metadata,
    actions,
    dryRun: {
      ...dryRun,
      error: dryRun.error ?? lookup.error,
      retry: () => {
        if (lookup.error) lookup.retry();
        dryRun.retry();
      },
    },
    setTask: (next: TaskId) => {
      const nextModel = defaultModel(next, catalog);
      switchTo(next, nextModel);
      form.setValue('model', nextModel);
      form.setValue('grid_models', nextModel === null ? [] : [nextModel]);
      form.setValue('grid_ratios', []);
      form.setValue('grid_excluded', []);
      form.setValue('task', next);
      if (!offersSource(source, { task: next, model: nextModel }, catalog)) form.setValue('source', 'csv');
    },
    setModel: (next: ModelId) => {
      switchTo(task, next);
      form.setValue('model', next);
    },
    setGridModels: (next: ModelId[]) => {
      const first = next[0];
      if (first !== undefined && first !== model) switchTo(task, first);
      form.setValue('grid_models', next);
      form.setValue('grid_excluded', []);
    },
  };
}

export type NewBatch = ReturnType<typeof useNewBatch>;
