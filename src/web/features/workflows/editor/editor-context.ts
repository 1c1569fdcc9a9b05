import { createContext, use, useSyncExternalStore } from 'react';
import type { Editor, StarterProblem } from './editor.ts';
import type { EditorState } from './editor-state.ts';

export const EditorContext = createContext<Editor | null>(null);

/** The editor around. */
export function useEditor(): Editor {
  const editor = use(EditorContext);
  if (!editor) throw new Error('useEditor needs an EditorContext.');
  return editor;
}

/** Something of what is being written: a primitive, or a part that stays the same object while nothing in it changes. */
export function useEditorState<T>(select: (state: EditorState) => T): T {
  const editor = useEditor();
  return useSyncExternalStore(editor.subscribe, () => select(editor.state()));
}

const NO_PROBLEMS: readonly StarterProblem[] = [];

/** What is wrong at a path and below it, where it is time to say so; nothing for no path. */
export function useProblems(path: string | null): readonly StarterProblem[] {
  const editor = useEditor();
  return useSyncExternalStore(editor.subscribe, () => (path === null ? NO_PROBLEMS : editor.problemsAt(path)));
}

/** The first of it, as a sentence. */
export const useProblem = (path: string | null): string | undefined => useProblems(path)[0]?.message;
