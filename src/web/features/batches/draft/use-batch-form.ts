import { useCallback, useEffect, useState } from 'react';
import { useForm, type UseFormReturn } from 'react-hook-form';
import { type BatchDraft, readBatchDraft, readDraftFile, writeBatchDraft, writeDraftFile } from './batch-draft.ts';
import type { CsvFile } from '../rows/read-csv.ts';

export interface BatchForm {
  form: UseFormReturn<BatchDraft>;
  file: CsvFile | null;
  setFile: (file: CsvFile | null) => void;
}

/** The draft as a form, which every change saves. @param initial without a draft */
export function useBatchForm(initial: () => BatchDraft): BatchForm {
  const [defaultValues] = useState(() => readBatchDraft() ?? initial());
  const form = useForm<BatchDraft>({ defaultValues, shouldFocusError: false });
  const [file, showFile] = useState(() => readDraftFile() ?? null);
  useEffect(
    () => form.subscribe({ formState: { values: true }, callback: ({ values }) => writeBatchDraft(values) }),
    [form],
  );
  const setFile = useCallback((next: CsvFile | null) => {
    writeDraftFile(next);
    showFile(next);
  }, []);
  return { form, file, setFile };
}
