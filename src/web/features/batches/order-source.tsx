import { effectiveContract } from '#web/forms/effective-contract.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { SegmentedControl } from '#web/ui/segmented-control.tsx';
import { availableModels, type Catalog } from './draft/available-models.ts';
import { BATCH_SOURCES, type BatchSource } from './draft/batch-draft.ts';
import { promptField } from './rows/match-columns.ts';
import { offersSource } from './draft/open-draft.ts';
import type { NewBatch } from './draft/use-new-batch.ts';
import { FileSource } from './source/file-source.tsx';
import { GridSource } from './source/grid-source.tsx';
import { PromptSource } from './source/prompt-source.tsx';
import type { useChooseCsv } from './source/use-choose-csv.ts';

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
