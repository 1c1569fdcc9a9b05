import { useDeferredValue, useMemo, useState, useEffect, useRef } from 'react';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import { effectiveContract } from '#web/forms/models/effective-contract.ts';
import { initialValues, fillMissingValues } from '#web/forms/values/form-values.ts';
import { switchInput } from '#web/forms/models/switch-input.ts';
import { useTagValues } from '#web/forms/tags/tag-values.ts';
import { useDebouncedValues } from '#web/forms/use-debounced-values.ts';
import { useDebounced } from '#web/ui/hooks/use-debounced.ts';
import { useMediaLookup } from '../check/use-media-lookup.ts';
import { buildOrders, type RowResult } from '../rows/build-orders.ts';
import { IGNORED_TARGET, MODEL_TARGET } from '../rows/match-columns.ts';
import { useColumnTags } from '../rows/use-column-tags.ts';
import { type Catalog, defaultModel } from './available-models.ts';
import { type BatchDraft, readSharedValues, writeSharedValues } from './batch-draft.ts';
import { readBatchRows } from './batch-rows.ts';
import { rowActions } from './change-rows.ts';
import { offersSource } from './open-draft.ts';
import { useBatchForm } from './use-batch-form.ts';
import type { InputContract } from '#contract/task.ts';
import { modelsForTask } from '#web/api/known-models.ts';
import { localServiceOrigin } from '#web/api/reference-info.ts';
import { readDraft } from '#web/forms/values/drafts.ts';
import { createInputForm, type InputForm } from '#web/forms/values/input-form.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type BatchCheck, checkRows } from '../check/check-rows.ts';
import { estimateOrders, type OrderEstimates } from '../check/estimate-orders.ts';

const EMPTY_CONTRACT = { fields: [], rules: [] };

/** The model whose form the orders share: in a grid the first one that is chosen. */
const sharedModel = ({ source, model, grid_models }: BatchDraft): AnyModelId | null =>
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
  const columnTags = useColumnTags();
  const rows = useMemo(
    () => readBatchRows({ ...options, prompts }, file, contract, catalog.models, columnTags),
    [options, prompts, file, contract, catalog.models, columnTags],
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

  const switchTo = (nextTask: TaskId, next: AnyModelId | null) => {
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
    setModel: (next: AnyModelId) => {
      switchTo(task, next);
      form.setValue('model', next);
    },
    setGridModels: (next: AnyModelId[]) => {
      const first = next[0];
      if (first !== undefined && first !== model) switchTo(task, first);
      form.setValue('grid_models', next);
      form.setValue('grid_excluded', []);
    },
  };
}

export type NewBatch = ReturnType<typeof useNewBatch>;

/** Returns the same object while its JSON is the same. */
function useStable<T>(value: T): T {
  const json = JSON.stringify(value);
  return useMemo(() => JSON.parse(json) as T, [json]);
}

const omitFields = (contract: InputContract, omitted: readonly string[]): InputContract => ({
  fields: contract.fields.filter(({ name }) => !omitted.includes(name)),
  rules: contract.rules.filter(({ field, when }) => !omitted.includes(field) && !omitted.includes(when.field)),
  bounds: (contract.bounds ?? []).filter(({ field }) => !omitted.includes(field)),
});

/**
 * The form of the fields that have one value for all orders. It keeps the values of omitted fields for when they are
 * back; without any, it begins with those of Create.
 * @param omitted names of the fields that columns fill
 * @param revision changes when something else than the form writes its values
 */
function useSharedForm(
  task: TaskId,
  model: AnyModelId | null,
  contract: InputContract,
  omitted: readonly string[],
  revision: number,
): InputForm {
  const omittedNames = omitted.join();
  const form = useMemo(() => {
    const kept = readSharedValues(task, model) ?? readDraft(task, model, contract) ?? initialValues(contract);
    const shared = omitFields(contract, omittedNames.split(','));
    return createInputForm(shared, fillMissingValues(shared, kept), localServiceOrigin);
    // oxlint-disable-next-line react/exhaustive-deps -- a new revision means that the values must be read again
  }, [task, model, contract, omittedNames, revision]);
  useEffect(
    () => form.subscribe(() => writeSharedValues(task, model, { ...readSharedValues(task, model), ...form.values() })),
    [form, task, model],
  );
  return form;
}

const CHECK_DELAY_MS = 400;
const NO_ESTIMATES: OrderEstimates = new Map();
let lastRevision = 0;

function nextRevision(): number {
  lastRevision += 1;
  return lastRevision;
}

interface DryRun extends BatchCheck {
  /** Why prices are missing; null while they are known or on their way. */
  error: unknown;
  isOffline: boolean;
  retry: () => void;
}

/**
 * Validates and prices the orders of rows, without starting them.
 * @param metadata of the batch; pass the same object while it is the same
 */
function useDryRun(results: readonly RowResult[], metadata: Readonly<Record<string, string>> | undefined): DryRun {
  const orderJsons = useMemo(
    () => results.map((result) => (result.state === 'order' ? JSON.stringify(result.order) : undefined)),
    [results],
  );
  const request = useMemo(
    () => ({
      revision: nextRevision(),
      metadata,
      orders: orderJsons.filter((order) => order !== undefined),
    }),
    [orderJsons, metadata],
  );
  const checked = useDebounced(request, CHECK_DELAY_MS);
  const latest = useRef({ metadata, estimates: NO_ESTIMATES });
  const { data, error, isError, fetchStatus, refetch } = useQuery({
    // The orders are too long for a key; the revision stands for them.
    queryKey: ['batch-dry-run', checked.revision],
    queryFn: async ({ signal }) => {
      const known = latest.current.metadata === checked.metadata ? latest.current.estimates : NO_ESTIMATES;
      const estimates = await estimateOrders(checked.orders, known, checked.metadata, signal);
      latest.current = { metadata: checked.metadata, estimates };
      return estimates;
    },
    enabled: checked.orders.length > 0,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  const check = useMemo(() => checkRows(results, orderJsons, data), [results, orderJsons, data]);
  return { ...check, error: isError ? error : null, isOffline: fetchStatus === 'paused', retry: () => void refetch() };
}
