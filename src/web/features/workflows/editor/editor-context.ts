import { createContext, use, useSyncExternalStore } from 'react';
import { formatList } from '#web/ui/formats.ts';
import { showToast } from '#web/ui/toast-store.ts';
import type { EditorState } from './editor-state.ts';
import type { Editor, StarterProblem } from './editor.ts';

export const EditorContext = createContext<Editor | null>(null);

export function useEditor(): Editor {
  const editor = use(EditorContext);
  if (!editor) throw new Error('useEditor needs an EditorContext.');
  return editor;
}

/** Selects editor state. The selector must return a primitive or a reference that is stable while the state is. */
export function useEditorState<T>(select: (state: EditorState) => T): T {
  const editor = useEditor();
  return useSyncExternalStore(editor.subscribe, () => select(editor.state()));
}

const NO_PROBLEMS: readonly StarterProblem[] = [];

/** Returns the visible problems at a path and below; none for null. */
export function useProblems(path: string | null): readonly StarterProblem[] {
  const editor = useEditor();
  return useSyncExternalStore(editor.subscribe, () => (path === null ? NO_PROBLEMS : editor.problemsAt(path)));
}

export const useProblem = (path: string | null): string | undefined => useProblems(path)[0]?.message;

/** Applies a destructive change and offers to undo it. @param users parts that still reference the removed one */
export function changeWithUndo(
  editor: Editor,
  title: string,
  users: readonly string[],
  next: (state: EditorState) => EditorState,
): void {
  const before = editor.state();
  editor.change(next);
  showToast({
    title,
    ...(users.length > 0 ? { detail: `Still used in ${formatList(users)}. Update it there.` } : {}),
    // Undo also reverts what was typed since.
    action: { label: 'Undo', onPress: () => editor.change(() => before) },
    durationMs: 10_000,
  });
}
