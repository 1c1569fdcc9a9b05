import { Link } from '@tanstack/react-router';
import { FolderX, Images } from 'lucide-react';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

const toLibrary = (
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

export function EmptyCollection({ canChange }: { canChange: boolean }) {
  return (
    <EmptyState icon={<Images aria-hidden="true" />} title="This collection is empty" actions={toLibrary}>
      {canChange
        ? 'Drag files onto its name in the list, or select them and choose Add to collection.'
        : 'Files that your team adds appear here.'}
    </EmptyState>
  );
}
