import { Link } from '@tanstack/react-router';
import { CloudUpload, Images, LibraryBig, Trash2 } from 'lucide-react';
import { createPageLink } from '#web/api/create-page-link.ts';
import { useCan, useCannot } from '#web/api/queries/permissions.ts';
import type { EmptyProps } from '#web/collections/collection-view.tsx';
import { ShowEverybodyButton } from '#web/collections/made-by-filter.tsx';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { toLibrary } from './collections/collection-missing.tsx';
import type { LIBRARY_FILTERS } from './library-search.ts';
import { UploadButton } from './upload-button.tsx';

type EmptyLibraryProps = EmptyProps<typeof LIBRARY_FILTERS>;

export function EmptyLibrary({ search, onShowEverybody }: EmptyLibraryProps) {
  const canCreate = useCan('work.create');
  if (search.collection !== undefined)
    return (
      <EmptyState icon={<Images aria-hidden="true" />} title="This collection is empty" actions={toLibrary}>
        {canCreate
          ? 'Drag files onto its name in the list, or select them and choose Add to collection.'
          : 'Files that your team adds appear here.'}
      </EmptyState>
    );
  return (
    <EmptyState
      icon={<LibraryBig aria-hidden="true" />}
      title={onShowEverybody ? 'You have no media yet' : 'No media yet'}
      actions={
        <>
          {canCreate ? (
            <Link {...createPageLink()} className={buttonClass({ variant: 'primary' })}>
              Create something
            </Link>
          ) : null}
          {onShowEverybody ? <ShowEverybodyButton onClick={onShowEverybody} /> : null}
        </>
      }
    >
      {onShowEverybody
        ? 'What you upload or create appears here.'
        : canCreate
          ? 'Everything you and your team upload or create appears here.'
          : 'Everything your team uploads or creates appears here.'}
    </EmptyState>
  );
}

export function NoUploads({ onShowEverybody }: EmptyLibraryProps) {
  const icon = <CloudUpload aria-hidden="true" />;
  if (useCannot('uploads.create'))
    return (
      <EmptyState icon={icon} title="No uploads yet" className="py-20">
        Files that others upload appear here.
      </EmptyState>
    );
  return (
    <EmptyState
      icon={icon}
      title="Drop your files here"
      className="py-20"
      actions={
        <>
          <UploadButton label="Choose files" />
          {onShowEverybody ? <ShowEverybodyButton onClick={onShowEverybody} /> : null}
        </>
      }
    >
      Drop or paste images, videos, and audio on any page. They upload in the background.
    </EmptyState>
  );
}

export function EmptyTrash() {
  return (
    <EmptyState icon={<Trash2 aria-hidden="true" />} title="The trash is empty">
      Files that you delete appear here until they are removed for good.
    </EmptyState>
  );
}
