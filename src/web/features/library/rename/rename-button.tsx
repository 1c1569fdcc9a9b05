import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { useCan } from '#web/api/queries/permissions.ts';
import type { TitledMedia } from '#web/media/library/media-labels.ts';
import { IconButton, type IconButtonProps } from '#web/ui/controls/icon-button.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';

const RenameMediaDialog = lazyComponent(async () => (await import('./rename-dialog.tsx')).RenameMediaDialog);

/** Nothing for a role that may not change media. */
export function RenameButton({
  medium,
  ...look
}: { medium: TitledMedia & { id: string } } & Pick<IconButtonProps, 'size' | 'outlined'>) {
  const [renaming, setRenaming] = useState(false);
  const canChange = useCan('work.create');
  if (!canChange) return null;
  return (
    <>
      <IconButton
        {...look}
        label="Rename"
        icon={<Pencil aria-hidden="true" className="size-4" />}
        onClick={() => setRenaming(true)}
      />
      {renaming ? <RenameMediaDialog medium={medium} onClose={() => setRenaming(false)} /> : null}
    </>
  );
}
