import { createContext, use, useSyncExternalStore } from 'react';
import type { Editor, StarterProblem } from './editor.ts';
import type { EditorState } from './editor-state.ts';

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
