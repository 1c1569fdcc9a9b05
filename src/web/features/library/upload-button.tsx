import { Upload } from 'lucide-react';
import { useRef } from 'react';
import { useCan } from '#web/api/queries/permissions.ts';
import { ACCEPTED_FILE_TYPES } from '#web/forms/accepted-file-types.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { FileInput } from '#web/ui/controls/file-input.tsx';
import { enqueueUploads } from '#web/uploads/enqueue-uploads.ts';

export function UploadButton({ label = 'Upload' }: { label?: string }) {
  const input = useRef<HTMLInputElement>(null);
  if (!useCan('uploads.create')) return null;
  return (
    <>
      <FileInput
        ref={input}
        multiple
        accept={Object.values(ACCEPTED_FILE_TYPES).join()}
        onChoose={(files) => enqueueUploads(files, null)}
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
