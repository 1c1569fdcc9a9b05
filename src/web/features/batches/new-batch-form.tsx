import { useNavigate } from '@tanstack/react-router';
import { useEffect, memo } from 'react';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { useCommands } from '#web/ui/hooks/commands.ts';
import { Rows3 } from 'lucide-react';
import { useFieldUploads, usePendingUploadCount } from '#web/forms/use-field-uploads.ts';
import { Callout } from '#web/ui/display/callout.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import type { NewBatchSearch } from './batches-search.ts';
import { OrderList } from './check/order-list.tsx';
import { availableModels, availableTasks, type Catalog } from './draft/available-models.ts';
import { openDraft } from './draft/open-draft.ts';
import { type NewBatch, useNewBatch } from './draft/use-new-batch.ts';
import { useStart } from './draft/use-start.ts';
import { OrderSource } from './order-source.tsx';
import { looksLikeHeader } from './rows/match-columns.ts';
import type { CsvFile } from './rows/read-csv.ts';
import { useChooseCsv } from './source/use-choose-csv.ts';
import { useTableDrops } from './source/use-table-drops.ts';
import { BatchSettings, StartPanel } from './start-panel.tsx';
import type { InputForm } from '#web/forms/values/input-form.ts';
import type { CheckedRow } from './check/check-rows.ts';
import type { FieldUploads } from '#web/forms/field-uploads.ts';
import { TaskForm } from '#web/forms/task-form.tsx';
import { TagFields } from '#web/forms/tags/tag-fields.tsx';

interface NewBatchFormProps {
  search: NewBatchSearch;
  catalog: Catalog;
}

export function NewBatchForm({ search, catalog }: NewBatchFormProps) {
  const batch = useNewBatch(() => openDraft(search, catalog), catalog);
  const { form, rows, sharedForm, dryRun } = batch;
  const uploads = useFieldUploads(sharedForm, 'batch');
  const pendingUploads = usePendingUploadCount(uploads);
  const { start, problem, isStarting } = useStart(batch);
  const csv = useChooseCsv((file) => takeFile(batch, file));
  useTableDrops(batch, csv.choose);
  useCleanAddress(search);
  useSharedProblems(sharedForm, dryRun.rows);
  useCommands([{ group: 'Batches', label: 'Start the batch', keys: 'mod+enter', run: () => void start() }]);
  return (
    <div className="grid gap-x-10 gap-y-8 lg:grid-cols-[minmax(24rem,30rem)_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-6">
        <TaskAndModel batch={batch} catalog={catalog} />
        <OrderSource batch={batch} catalog={catalog} csv={csv} />
        <section aria-labelledby="batch-shared" className="flex flex-col gap-4 border-t border-line pt-5">
          <h2 id="batch-shared" className="text-base font-semibold">
            The same for every order
          </h2>
          <SharedFields form={sharedForm} uploads={uploads} />
        </section>
        <section aria-label="Name and limit" className="border-t border-line pt-5">
          <BatchSettings batch={batch} />
        </section>
      </div>
      <section aria-label="Check" className="flex min-w-0 flex-col">
        {dryRun.error || dryRun.isOffline ? <CheckProblem dryRun={dryRun} /> : null}
        {rows.rows.length === 0 ? (
          <EmptyState icon={<Rows3 aria-hidden="true" />} title="No orders yet">
            Paste prompts, choose a CSV file, or combine models. Each order appears here with its price, before anything
            starts.
          </EmptyState>
        ) : (
          <OrderList
            rows={dryRun.rows}
            problemCount={dryRun.problem_count}
            targets={rows.targets}
            contract={batch.contract}
            hasLines={form.getValues('source') === 'csv'}
            actions={batch.actions}
          />
        )}
        <StartPanel
          batch={batch}
          waitingLabel={
            pendingUploads > 0 ? `Waiting for ${pendingUploads === 1 ? '1 upload' : `${pendingUploads} uploads`}` : null
          }
          problem={problem}
          isStarting={isStarting}
          onStart={() => void start()}
        />
      </section>
    </div>
  );
}

function TaskAndModel({ batch, catalog }: { batch: NewBatch; catalog: Catalog }) {
  const names = useCatalogNames();
  const { task, model, source } = batch.draft;
  const tasks = availableTasks(catalog);
  const models = availableModels(task, catalog);
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Task">
        <Select
          value={task}
          options={(tasks.includes(task) ? tasks : [task, ...tasks]).map((id) => ({
            value: id,
            label: names.task(id),
          }))}
          onChange={batch.setTask}
        />
      </Field>
      {model !== null && source !== 'grid' ? (
        <Field label="Model">
          <Select
            value={model}
            options={(models.includes(model) ? models : [model, ...models]).map((id) => ({
              value: id,
              label: names.model(id),
            }))}
            onChange={batch.setModel}
          />
        </Field>
      ) : null}
    </div>
  );
}

function CheckProblem({ dryRun }: Pick<NewBatch, 'dryRun'>) {
  const message = dryRun.error instanceof Error ? dryRun.error.message : null;
  return (
    <div className="mb-4">
      <Callout
        tone="amber"
        title={dryRun.isOffline ? 'You are offline' : 'The orders could not be checked'}
        action={
          dryRun.isOffline ? null : (
            <Button size="sm" onClick={dryRun.retry}>
              Try again
            </Button>
          )
        }
      >
        {dryRun.isOffline ? 'Prices appear when the connection is back. Your orders are kept.' : message}
      </Callout>
    </div>
  );
}

/** A new file has its own columns, so choices for those of the last one end. */
function takeFile({ form, contract, setFile }: NewBatch, file: CsvFile): void {
  setFile(file);
  form.setValue('targets', {});
  form.setValue('shares_prompt', false);
  form.setValue('has_header', looksLikeHeader(file.lines, contract));
  form.setValue('source', 'csv');
}

/** Removes the task and model from the address, so that a reload keeps later choices. */
function useCleanAddress({ task }: NewBatchSearch): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (task !== undefined) void navigate({ to: '/batches/new', search: {}, replace: true });
  }, [task, navigate]);
}

/** Shows what the service rejects in every row beside the field of the shared form that causes it. */
function useSharedProblems(form: InputForm, rows: readonly CheckedRow[]): void {
  useEffect(() => {
    const [first, ...others] = rows;
    if (first?.state !== 'problem') return;
    const shared = first.problems.filter(
      ({ target, message }) =>
        form.contract.fields.some(({ name }) => name === target) &&
        others.every(
          (row) =>
            row.state === 'problem' &&
            row.problems.some((other) => other.target === target && other.message === message),
        ),
    );
    if (shared.length > 0)
      form.setServerErrors(shared.map(({ target, message }) => ({ path: `input.${target ?? ''}`, message })));
  }, [form, rows]);
}

const ignoreSubmit = () => undefined;

interface SharedFieldsProps {
  form: InputForm;
  uploads: FieldUploads;
}

/** The fields with one value for all orders. Enter starts nothing: it is too easy to press for a whole list. */
const SharedFields = memo(function SharedFields({ form, uploads }: SharedFieldsProps) {
  return (
    <TaskForm form={form} uploads={uploads} signedIn label="The same for every order" onSubmit={ignoreSubmit}>
      {form.contract.fields.length === 0 ? (
        <p className="text-sm text-ink-3">Every field is filled by a column.</p>
      ) : null}
      <TagFields />
    </TaskForm>
  );
});
