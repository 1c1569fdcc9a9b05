import { formatList } from '#web/ui/formats.ts';
import { showToast } from '#web/ui/toast-store.ts';
import type { Editor } from './editor.ts';
import type { EditorState } from './editor-state.ts';

/** Changes what a person may regret, and offers to take that back. @param users what still names the part that is gone */
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
    // Whatever was typed since is taken back with it; that is what undoing means.
    action: { label: 'Undo', onPress: () => editor.change(() => before) },
    duration_ms: 10_000,
  });
}
