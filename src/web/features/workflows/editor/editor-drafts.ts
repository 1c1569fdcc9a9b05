import { createTabMap } from '#web/forms/tab-storage.ts';
import type { EditorState } from './editor-state.ts';

const drafts = createTabMap<EditorState>('emulsion.starters', 8);

/** What was written of a starter in this tab, by what it began with; undefined where nothing was. */
export const readEditorDraft = (name: string): EditorState | undefined => drafts.get(name);
export const writeEditorDraft = (name: string, state: EditorState): void => drafts.set(name, state);
export const dropEditorDraft = (name: string): void => drafts.delete(name);
