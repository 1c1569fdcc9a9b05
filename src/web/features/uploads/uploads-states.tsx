import { Link } from '@tanstack/react-router';
import { CloudUpload } from 'lucide-react';
import { createPageLink } from '#web/api/create-page-link.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { UploadButton } from './upload-button.tsx';

/** Nothing was uploaded yet. */
export function NoUploads() {
  return (
    <EmptyState
      icon={<CloudUpload aria-hidden="true" />}
      title="Drop your files here"
      className="py-20"
      actions={<UploadButton label="Choose files" />}
    >
      Drop or paste pictures, videos, and sounds on any page. They upload in the background and appear here.
    </EmptyState>
  );
}

/** The service takes uploads, but keeps no list of them. */
export function UploadListUnsupported() {
  return (
    <EmptyState
      icon={<CloudUpload aria-hidden="true" />}
      title="This service keeps no list of uploads"
      actions={
        <Link {...createPageLink()} className={buttonClass({ variant: 'primary' })}>
          Go to Create
        </Link>
      }
    >
      Files can be given to a form as before, on the Create page.
    </EmptyState>
  );
}
