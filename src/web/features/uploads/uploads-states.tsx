import { Link } from '@tanstack/react-router';
import { CloudUpload } from 'lucide-react';
import { createAddress } from '#web/shell/create-address.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { UploadButton } from './upload-button.tsx';

/** Nothing was uploaded yet. */
export function NothingYet() {
  return (
    <EmptyState
      icon={<CloudUpload aria-hidden="true" />}
      title="Drop your files here"
      className="py-20"
      actions={<UploadButton label="Choose files" />}
    >
      Pictures, videos and sounds to work from. Drop or paste them on any page, as many as you like: they are sent while
      you go on, and stand here afterwards.
    </EmptyState>
  );
}

/** The service takes uploads, but keeps no list of them. */
export function NoList() {
  return (
    <EmptyState
      icon={<CloudUpload aria-hidden="true" />}
      title="This service keeps no list of uploads"
      actions={
        <Link {...createAddress()} className={buttonClass({ variant: 'primary' })}>
          Go to Create
        </Link>
      }
    >
      Files can be given to a form as before, on the Create page.
    </EmptyState>
  );
}
