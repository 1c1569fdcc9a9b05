import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { isNotFound, queryError } from '#web/api/api-errors.ts';
import { cachedUpload, uploadQuery } from '#web/api/queries/uploads.ts';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { LoadError } from '#web/api/load-error.tsx';
import { Button } from '#web/ui/button.tsx';
import { CopyAddressButton } from '#web/ui/copy-button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { SidePanel, SidePanelHeader } from '#web/ui/side-panel.tsx';
import { Loading, Skeleton, SkeletonText } from '#web/ui/skeleton.tsx';
import { UploadDetails } from './upload-details.tsx';
import { uploadName } from './upload-labels.ts';

export function UploadPanel() {
  const { id = '' } = useParams({ strict: false });
  const navigate = useNavigate();
  const close = () => void navigate({ to: '/uploads', search: (search) => search, resetScroll: false });
  return (
    <SidePanel key={id} label="Open upload">
      <RequireSession to="see this upload">
        <UploadPanelContent id={id} onClose={close} />
      </RequireSession>
    </SidePanel>
  );
}

function UploadPanelContent({ id, onClose }: { id: string; onClose: () => void }) {
  const client = useQueryClient();
  const query = useQuery(uploadQuery(id));
  const { data, refetch } = query;
  // The list already has most of it while the detail loads.
  const upload = data ?? cachedUpload(client, id);
  const problem = queryError(query);
  return (
    <>
      <SidePanelHeader
        title={upload ? uploadName(upload) : 'Upload'}
        actions={<CopyAddressButton path={`/uploads/${id}`} />}
        onClose={onClose}
      />
      <div className="min-w-0 flex-1 px-4 pt-4 pb-10 md:px-6">
        {isNotFound(problem) ? (
          <EmptyState title="Upload not found" actions={<Button onClick={onClose}>Back to uploads</Button>}>
            It may have been deleted, or it belongs to another organization.
          </EmptyState>
        ) : upload ? (
          <UploadDetails upload={upload} onDeleted={onClose} />
        ) : problem ? (
          <LoadError what="This upload" error={problem} onRetry={() => void refetch()} />
        ) : (
          <Loading label="Loading upload">
            <Skeleton className="aspect-4/3 w-full rounded-md" />
            <span className="mt-6 block">
              <SkeletonText lines={4} />
            </span>
          </Loading>
        )}
      </div>
    </>
  );
}
