import { formatList } from '#web/ui/formats.ts';
import { showToast } from '#web/ui/toast-store.ts';
import type { Editor } from './editor.ts';
import type { EditorState } from './editor-state.ts';

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
    duration_ms: 10_000,
  });
}
