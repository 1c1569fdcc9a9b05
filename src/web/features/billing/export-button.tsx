import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { isMissingFeature } from '#web/api/api-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { saveFile } from '#web/ui/save-file.ts';
import { showToast } from '#web/ui/toast-store.ts';

interface ExportButtonProps {
  /** Reads it; the key goes in a header and stands in no address. */
  read: () => Promise<Blob>;
  name: string;
}

/** Saves a file of comma-separated values. */
export function ExportButton({ read, name }: ExportButtonProps) {
  const { mutate, isPending } = useMutation({
    mutationFn: read,
    onSuccess: (file) => saveFile(file, name),
    onError: (error) =>
      showToast({
        title: isMissingFeature(error) ? 'This service cannot export' : 'Not exported',
        detail: isMissingFeature(error) ? 'Ask an admin.' : error.message,
        tone: 'bad',
      }),
  });
  return (
    <Button busy={isPending} icon={<Download aria-hidden="true" className="size-4" />} onClick={() => mutate()}>
      Export CSV
    </Button>
  );
}
