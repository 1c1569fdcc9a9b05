import { CloudUpload, Upload } from 'lucide-react';
import { useRef } from 'react';
import { ShowEverybodyButton } from '#web/collections/made-by-filter.tsx';
import { useCan, useCannot } from '#web/api/queries/permissions.ts';
import { ACCEPTED_FILE_TYPES } from '#web/forms/accepted-file-types.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { enqueueUploads } from '#web/uploads/enqueue-uploads.ts';

/** @param props.onShowEverybody null: the list shows everybody's already */
export function NoUploads({ onShowEverybody }: { onShowEverybody: (() => void) | null }) {
  if (useCannot('uploads.create'))
    return (
      <EmptyState icon={<CloudUpload aria-hidden="true" />} title="No uploads yet" className="py-20">
        Files that others upload appear here.
      </EmptyState>
    );
  return (
    <EmptyState
      icon={<CloudUpload aria-hidden="true" />}
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

export function UploadButton({ label = 'Upload' }: { label?: string }) {
  const input = useRef<HTMLInputElement>(null);
  if (!useCan('uploads.create')) return null;
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={Object.values(ACCEPTED_FILE_TYPES).join()}
        onChange={(event) => {
          enqueueUploads([...(event.target.files ?? [])], null);
          event.target.value = '';
        }}
      />
      <Button
        variant="primary"
        icon={<Upload aria-hidden="true" className="size-4" />}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
    </>
  );
}
