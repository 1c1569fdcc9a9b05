import type { NewBatch } from '../draft/use-new-batch.ts';
import { ColumnMapping } from './column-mapping.tsx';
import { CsvSource } from './csv-source.tsx';
import type { useChooseCsv } from './use-choose-csv.ts';

interface FileSourceProps {
  batch: NewBatch;
  csv: ReturnType<typeof useChooseCsv>;
}

/** The file of the orders, and what its columns fill. */
export function FileSource({ batch, csv }: FileSourceProps) {
  const { form, draft, file, setFile, rows, contract, has_models } = batch;
  return (
    <>
      <CsvSource
        file={file}
        hasHeader={draft.has_header}
        problem={csv.problem}
        isReading={csv.isReading}
        onChoose={csv.choose}
        onRemove={() => setFile(null)}
        onHeaderChange={(has_header) => form.setValue('has_header', has_header)}
      />
      {file ? (
        <ColumnMapping
          rows={rows}
          contract={contract}
          hasModels={has_models}
          sharesPrompt={draft.shares_prompt}
          onSharesPromptChange={(shares_prompt) => form.setValue('shares_prompt', shares_prompt)}
          onChange={(column, target) => form.setValue('targets', { ...draft.targets, [column]: target })}
        />
      ) : null}
    </>
  );
}
