import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { LoadError } from '#web/api/load-error.tsx';
import { mediaQuery } from '#web/api/queries/media.ts';
import { FailedFile } from '#web/media/failed-file.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { ErrorText } from '#web/ui/controls/field.tsx';
import { Loading, Skeleton } from '#web/ui/display/skeleton.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import type { Size } from './picture-edit.ts';

export interface LoadedPicture {
  url: string;
  picture: Size;
  /** To be called when the file of the picture can't be shown. */
  onFailed: () => void;
}

interface PictureLoaderProps {
  mediaId: string;
  title: string;
  onClose: () => void;
  children: (loaded: LoadedPicture) => ReactNode;
}

/** Shows the editor of a picture once its address and size are known. */
export function PictureLoader({ mediaId, title, onClose, children }: PictureLoaderProps) {
  const { data, error, refetch } = useQuery(mediaQuery(mediaId));
  const [failed, setFailed] = useState(false);
  const retry = () => {
    setFailed(false);
    void refetch();
  };
  if (data?.width && data.height && !failed)
    return children({
      url: data.url,
      picture: { width: data.width, height: data.height },
      onFailed: () => setFailed(true),
    });
  return (
    <Dialog open onClose={onClose} title={title} size="xl">
      {error ? (
        <LoadError what="The picture" error={error} onRetry={retry} />
      ) : data ? (
        <FailedFile onRetry={retry} />
      ) : (
        <Loading label="Loading">
          <Skeleton className="h-80 rounded-md" />
        </Loading>
      )}
    </Dialog>
  );
}

interface PictureDialogProps {
  title: string;
  description: string;
  /** What went wrong, and what is kept. */
  problem: string | null;
  action: { label: string; isBusy: boolean; disabled: boolean; run: () => void };
  onClose: () => void;
  /** The picture, and the controls beside it. */
  children: ReactNode;
}

export const PictureDialog = ({ title, description, problem, action, onClose, children }: PictureDialogProps) => (
  <Dialog
    open
    onClose={onClose}
    title={title}
    description={description}
    size="xl"
    footer={
      <>
        {problem === null ? null : (
          <span className="mr-auto self-center">
            <ErrorText>{problem}</ErrorText>
          </span>
        )}
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" busy={action.isBusy} disabled={action.disabled} onClick={action.run}>
          {action.label}
        </Button>
      </>
    }
  >
    {children}
  </Dialog>
);
