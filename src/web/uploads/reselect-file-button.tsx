import { FolderOpen } from 'lucide-react';
import { useRef } from 'react';
import { type UploadItem, withUploadQueue } from './upload-store.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { showToast } from '#web/ui/toast-store.ts';

/** For a file that the page can't read any more: it is asked for, and its upload goes on where it was. */
export function ReselectFileButton({ sending: { id, name, size_bytes } }: { sending: UploadItem }) {
  const input = useRef<HTMLInputElement>(null);
  const take = (file: File | undefined) => {
    if (!file) return;
    if (file.name === name && file.size === size_bytes) withUploadQueue((engine) => engine.goOnWith(id, file));
    else showToast({ title: 'That is another file', detail: `“${name}” is what was being sent.` });
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        onChange={(event) => {
          take(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
      <IconButton
        size="sm"
        label={`Choose ${name} again`}
        icon={<FolderOpen aria-hidden="true" className="size-4" />}
        onClick={() => input.current?.click()}
      />
    </>
  );
}
