import { useEffect, useRef } from 'react';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import type { NewBatch } from '../draft/use-new-batch.ts';
import { looksLikeTable } from '../rows/match-columns.ts';
import { isCsv } from './use-choose-csv.ts';

const PROMPTS = 'textarea[name=prompts]';
const EDITABLE = 'input, textarea, select, [contenteditable]';

const onlyFile = (data: DataTransfer | null): File | null => {
  const [file, ...others] = data?.files ?? [];
  return file && others.length === 0 && isCsv(file) ? file : null;
};

/**
 * Takes tables: CSV files that are dropped or pasted anywhere on the page, and cells that are pasted among the prompts or
 * outside of a field. All other files go where the form says.
 */
export function useTableDrops(batch: NewBatch, choose: (file: File) => void): void {
  const latest = useRef({ batch, choose });
  useEffect(() => {
    latest.current = { batch, choose };
  }, [batch, choose]);
  useEffect(() => {
    const take = (event: Event, file: File) => {
      event.preventDefault();
      event.stopPropagation();
      // Where a file that can't be read is explained.
      latest.current.batch.form.setValue('source', 'csv');
      latest.current.choose(file);
    };
    const onDrop = (event: DragEvent) => {
      const file = onlyFile(event.dataTransfer);
      if (file) take(event, file);
    };
    const onPaste = (event: ClipboardEvent) => {
      const { form, contract } = latest.current.batch;
      const target = event.target instanceof Element ? event.target : null;
      const isPrompts = target?.matches(PROMPTS) ?? false;
      if (!isPrompts && target?.closest(EDITABLE)) return;
      const file = onlyFile(event.clipboardData);
      if (file) return take(event, file);
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (!looksLikeTable(text, contract)) return;
      take(event, new File([text], 'Pasted table'));
      if (!isPrompts) return;
      const asPrompts = () => {
        form.setValue('prompts', [form.getValues('prompts').trimEnd(), text].filter(Boolean).join('\n'));
        form.setValue('source', 'prompts');
      };
      showToast({ title: 'Pasted as a table', action: { label: 'Use as prompts', onPress: asPrompts } });
    };
    // Captured, so that they come before the handlers that upload files.
    const capture = { capture: true };
    window.addEventListener('drop', onDrop, capture);
    window.addEventListener('paste', onPaste, capture);
    return () => {
      window.removeEventListener('drop', onDrop, capture);
      window.removeEventListener('paste', onPaste, capture);
    };
  }, []);
}
