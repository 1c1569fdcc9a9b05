import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { Button } from '#web/ui/controls/button.tsx';
import { saveFile } from '#web/ui/save-file.ts';
import { toastError } from '#web/ui/overlays/toast-error.ts';

interface ExportButtonProps {
  /** Fetches the file. A plain link would put the key in the URL. */
  read: () => Promise<Blob>;
  name: string;
  label?: string;
}

export function ExportButton({ read, name, label = 'Export CSV' }: ExportButtonProps) {
  const { mutate, isPending } = useMutation({
    mutationFn: read,
    onSuccess: (file) => saveFile(file, name),
    onError: toastError('Export failed'),
  });
  return (
    <Button busy={isPending} icon={<Download aria-hidden="true" className="size-4" />} onClick={() => mutate()}>
      {label}
    </Button>
  );
}
