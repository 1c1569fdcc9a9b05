import type { UseFormReturn } from 'react-hook-form';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import type { OrderRowActions } from '../check/order-row.tsx';
import { replacePromptLine } from '../rows/batch-table.ts';
import type { CsvFile } from '../rows/read-csv.ts';
import { type BatchDraft, readDraftFile } from './batch-draft.ts';
import type { BatchForm } from './use-batch-form.ts';

const joinLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ');

const showUndo = (onPress: () => void) => showToast({ title: 'Row left out', action: { label: 'Undo', onPress } });

function replaceCell(file: CsvFile, id: string, column: number, text: string): CsvFile {
  return {
    ...file,
    lines: file.lines.map((line) => {
      if (line.id !== id) return line;
      const width = Math.max(line.cells.length, column + 1);
      return {
        ...line,
        cells: Array.from({ length: width }, (_, at) => (at === column ? text : (line.cells[at] ?? ''))),
      };
    }),
  };
}

/** Changes of single rows, in the text, the file or the grid that they come from. */
export function rowActions(
  source: BatchDraft['source'],
  form: UseFormReturn<BatchDraft>,
  setFile: BatchForm['setFile'],
): OrderRowActions {
  const setPrompts = (prompts: string) => form.setValue('prompts', prompts);
  if (source === 'prompts')
    return {
      edit: (id, _column, text) => setPrompts(replacePromptLine(form.getValues('prompts'), id, joinLines(text))),
      leaveOut: (id) => {
        const before = form.getValues('prompts');
        setPrompts(replacePromptLine(before, id, null));
        showUndo(() => setPrompts(before));
      },
    };
  if (source === 'grid')
    return {
      edit: null,
      leaveOut: (id) => {
        const before = form.getValues('grid_excluded');
        form.setValue('grid_excluded', [...before, id]);
        showUndo(() => form.setValue('grid_excluded', before));
      },
    };
  return {
    edit: (id, column, text) => {
      const file = readDraftFile();
      if (file) setFile(replaceCell(file, id, column, text));
    },
    leaveOut: (id) => {
      const file = readDraftFile();
      if (!file) return;
      setFile({ ...file, lines: file.lines.filter((line) => line.id !== id) });
      showUndo(() => setFile(file));
    },
  };
}

/** Reduces a draft to the rows that were not started. Returns whether any is left. */
export function keepRows(
  draft: BatchDraft,
  file: CsvFile | null,
  ids: ReadonlySet<string>,
): { draft: BatchDraft; file: CsvFile | null } | null {
  const fresh = { ...draft, name: '', grid_excluded: [] };
  if (ids.size === 0 || draft.source === 'grid') return null;
  if (draft.source === 'prompts') {
    const prompts = draft.prompts.split(/\r\n|[\n\r\u2028\u2029]/).filter((_, at) => ids.has(String(at)));
    return { draft: { ...fresh, prompts: prompts.join('\n') }, file };
  }
  if (!file) return null;
  const lines = file.lines.filter((line, at) => (at === 0 && draft.has_header) || ids.has(line.id));
  return { draft: fresh, file: { ...file, lines } };
}
