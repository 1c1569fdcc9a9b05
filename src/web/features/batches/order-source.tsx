import { effectiveContract } from '#web/forms/models/effective-contract.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx';
import { availableModels, type Catalog } from './draft/available-models.ts';
import { BATCH_SOURCES, type BatchSource, type BatchDraft } from './draft/batch-draft.ts';
import { promptField } from './rows/match-columns.ts';
import { offersSource } from './draft/open-draft.ts';
import type { NewBatch } from './draft/use-new-batch.ts';
import { GridSource } from './source/grid-source.tsx';
import type { useChooseCsv } from './source/use-choose-csv.ts';
import type { UseFormReturn } from 'react-hook-form';
import { MAX_LIST_ORDERS } from '#contract/limits.ts';
import { Field } from '#web/ui/controls/field.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { TextArea } from '#web/ui/controls/text-input.tsx';
import { ColumnMapping } from './source/column-mapping.tsx';
import { CsvSource } from './source/csv-source.tsx';

const SOURCES = {
  prompts: { label: 'Prompts', reason: 'This task has no prompt' },
  csv: { label: 'CSV file', reason: undefined },
  grid: { label: 'Grid', reason: 'This task has no models' },
} satisfies Record<BatchSource, { label: string; reason: string | undefined }>;

interface OrderSourceProps {
  batch: NewBatch;
  catalog: Catalog;
  csv: ReturnType<typeof useChooseCsv>;
}

/** Where the orders come from: lines of text, a file, or combinations. */
export function OrderSource({ batch, catalog, csv }: OrderSourceProps) {
  const { form, draft, rows, contract } = batch;
  const names = useCatalogNames();
  const { task, source } = draft;
  return (
    <div className="flex flex-col gap-4">
      <SegmentedControl
        label="Orders from"
        stretch
        value={source}
        onChange={(next) => form.setValue('source', next)}
        options={BATCH_SOURCES.map((value) => {
          const offered = offersSource(value, draft, catalog);
          const { label, reason } = SOURCES[value];
          return { value, label, disabled: !offered, ...(offered || !reason ? {} : { hint: reason }) };
        })}
      />
      {source === 'prompts' ? (
        <PromptSource form={form} label={promptField(contract)?.label ?? 'Prompt'} count={rows.rows.length} />
      ) : null}
      {source === 'csv' ? <FileSource batch={batch} csv={csv} /> : null}
      {source === 'grid' ? (
        <GridSource
          choices={availableModels(task, catalog).flatMap((model) => {
            const of = effectiveContract(task, model, catalog.models);
            return of ? [{ model, name: names.model(model), contract: of }] : [];
          })}
          models={draft.grid_models}
          ratios={draft.grid_ratios}
          onModelsChange={batch.setGridModels}
          onRatiosChange={(ratios) => {
            form.setValue('grid_ratios', ratios);
            form.setValue('grid_excluded', []);
          }}
        />
      ) : null}
    </div>
  );
}

interface PromptSourceProps {
  form: UseFormReturn<BatchDraft>;
  label: string;
  count: number;
}

function PromptSource({ form, label, count }: PromptSourceProps) {
  const excess = count - MAX_LIST_ORDERS;
  return (
    <Field
      label={`${label}s, one per line`}
      hint={`Up to ${formatNumber(MAX_LIST_ORDERS)} lines. Blank lines are ignored. Cells of a spreadsheet can be pasted too.`}
      aside={count > 0 ? formatNumber(count) : undefined}
      error={
        excess > 0
          ? `A batch has at most ${formatNumber(MAX_LIST_ORDERS)} orders. Remove ${formatNumber(excess)} lines.`
          : undefined
      }
    >
      <TextArea rows={8} maxRows={16} wrap="off" spellCheck={false} {...form.register('prompts')} />
    </Field>
  );
}

interface FileSourceProps {
  batch: NewBatch;
  csv: ReturnType<typeof useChooseCsv>;
}

/** The file of the orders, and what its columns fill. */
function FileSource({ batch, csv }: FileSourceProps) {
  const { form, draft, file, setFile, rows, contract, has_models } = batch;
  return (
    <>
      <CsvSource
        file={file}
        hasHeader={draft.has_header}
        problem={csv.problem}
        isReading={csv.isReading}
        onChoose={csv.choose}
        onEncodingChange={csv.changeEncoding}
        onRemove={() => setFile(null)}
        onHeaderChange={(has_header) => form.setValue('has_header', has_header)}
      />
      {file ? (
        <ColumnMapping
          rows={rows}
          contract={contract}
          hasModels={has_models}
          sharesPrompt={draft.shares_prompt ?? false}
          onSharesPromptChange={(shares_prompt) => form.setValue('shares_prompt', shares_prompt)}
          onChange={(column, target) => form.setValue('targets', { ...draft.targets, [column]: target })}
        />
      ) : null}
    </>
  );
}
