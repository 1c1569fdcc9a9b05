import { createContext, use, useSyncExternalStore } from 'react';
import type { Editor, Problem } from './editor.ts';
import type { EditorState } from './editor-state.ts';

export const EditorContext = createContext<Editor | null>(null);

/** The editor around. */
export function useEditor(): Editor {
  const editor = use(EditorContext);
  if (!editor) throw new Error('A part of the editor stands outside of it.');
  return editor;
}

/** Something of what is being written: a primitive, or a part that stays the same object while nothing in it changes. */
export function useEditorState<T>(select: (state: EditorState) => T): T {
  const editor = useEditor();
  return useSyncExternalStore(editor.subscribe, () => select(editor.state()));
}

/** What is wrong at a path and below it, where it is time to say so. */
export function useProblems(path: string): readonly Problem[] {
  const editor = useEditor();
  return useSyncExternalStore(editor.subscribe, () => editor.problemsAt(path));
}

/** The first of it, as a sentence. */
export const useProblem = (path: string): string | undefined => useProblems(path)[0]?.message;
