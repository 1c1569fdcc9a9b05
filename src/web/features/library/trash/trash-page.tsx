import { TRASH_DAYS } from '#contract/limits.ts';
import { LibraryFrame } from '../frame/library-frame.tsx';
import { TrashView } from './trash-view.tsx';

export function TrashPage() {
  return (
    <LibraryFrame
      place="trash"
      title="Trash"
      intro={<p className="text-sm text-ink-3">Deleted files can be restored for {TRASH_DAYS} days.</p>}
      purpose="open the trash"
    >
      <TrashView />
    </LibraryFrame>
  );
}
