import { createTabStorage } from '#web/api/tab-storage.ts';
import type { EditorState } from './editor-state.ts';

const storedDrafts = createTabStorage<EditorState>('emulsion.starters', 8);

export const readEditorDraft = (name: string): EditorState | undefined => storedDrafts.get(name);
export const writeEditorDraft = (name: string, state: EditorState): void => storedDrafts.set(name, state);
export const deleteEditorDraft = (name: string): void => storedDrafts.delete(name);
