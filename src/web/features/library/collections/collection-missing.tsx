import { Link } from '@tanstack/react-router';
import { FolderX } from 'lucide-react';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';

export const toLibrary = (
  <Link to="/library" search={{}} className={buttonClass()}>
    All media
  </Link>
);

export function CollectionMissing() {
  return (
    <EmptyState icon={<FolderX aria-hidden="true" />} title="Collection not found" actions={toLibrary}>
      It was deleted, or it belongs to somebody else.
    </EmptyState>
  );
}
