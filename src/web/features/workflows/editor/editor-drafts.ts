import { createTabStorage } from '#web/api/tab-storage.ts';
import type { EditorState } from './editor-state.ts';

export const editorDrafts = createTabStorage<EditorState>('emulsion.starters', 8);
