import { Pencil } from 'lucide-react';
import { useState } from 'react';
import type { CatalogDisplay, CatalogId } from '#contract/resources/catalog.ts';
import { useIsAdministrator } from '#web/api/queries/me.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';

const RenameDialog = lazyComponent(async () => (await import('./rename-dialog.tsx')).RenameDialog);

export interface RenamedEntry {
  id: CatalogId;
  originalName: string;
  /** What is shown without a description of the administrator; none for a model. */
  originalDescription?: string;
  display: CatalogDisplay | undefined;
}

/** Opens the name of a model or task, for administrators. */
export function RenameButton(entry: RenamedEntry) {
  const [isOpen, setIsOpen] = useState(false);
  if (!useIsAdministrator()) return null;
  return (
    <>
      <IconButton
        size="sm"
        label={`Rename ${entry.display?.name ?? entry.originalName}`}
        icon={<Pencil aria-hidden="true" className="size-4" />}
        onClick={() => setIsOpen(true)}
      />
      {isOpen ? <RenameDialog {...entry} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}
