import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { Me } from '#contract/resources/api-key.ts';
import { queryError } from '#web/api/api-errors.ts';
import { keysQuery } from '#web/api/queries/keys.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { useSession } from '#web/api/session/session.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { Button } from '#web/ui/button.tsx';
import { Page } from '#web/ui/page.tsx';
import { KeyList } from './key-list.tsx';
import { FramedSkeletonRows, Skeleton } from '#web/ui/skeleton.tsx';
import { CreateKeyDialog } from './create-key-dialog.tsx';

const KeysSkeleton = () => (
  <FramedSkeletonRows label="Loading keys" rows={3} className="flex h-32.25 gap-4 py-3.5 md:h-24.25">
    <span className="flex-1">
      <Skeleton className="h-4 w-40" />
      <Skeleton className="mt-2 h-3 w-28" />
      <Skeleton className="mt-4 h-3.5 w-36" />
      <Skeleton className="mt-4 h-3.5 w-44 md:hidden" />
    </span>
    <Skeleton className="mt-1 hidden h-4 w-24 md:block" />
    <Skeleton className="mt-1 h-7 w-16 pointer-coarse:h-9" />
  </FramedSkeletonRows>
);

export function KeysPage() {
  const signedIn = useSession() === 'signed_in';
  const me = useQuery({ ...meQuery, enabled: signedIn });
  const [creating, setCreating] = useState(false);
  const loadError = signedIn ? queryError(me) : null;
  const canManage = useCan('keys.manage_own');
  const create = () => setCreating(true);
  return (
    <Page
      title="Keys"
      intro="Give every person and program its own key, so you can see who spent what and revoke one without touching the others."
      actions={
        canManage ? (
          <Button variant="primary" icon={<Plus aria-hidden="true" className="size-4" />} onClick={create}>
            New key
          </Button>
        ) : null
      }
    >
      <RequireSession to="manage keys" permission="keys.manage_own">
        {me.data ? (
          <ManagedKeys me={me.data} onCreate={create} />
        ) : loadError ? (
          <LoadError what="Your account" error={loadError} onRetry={() => void me.refetch()} />
        ) : (
          <KeysSkeleton />
        )}
      </RequireSession>
      {creating ? <CreateKeyDialog onClose={() => setCreating(false)} /> : null}
    </Page>
  );
}

function ManagedKeys({ me, onCreate }: { me: Me; onCreate: () => void }) {
  const list = useQuery(keysQuery);
  const { data: keys, refetch } = list;
  const loadError = queryError(list);
  if (loadError && !keys) return <LoadError what="Keys" error={loadError} onRetry={() => void refetch()} />;
  if (!keys) return <KeysSkeleton />;
  return (
    <>
      <KeyList keys={keys} ownId={me.key.id} onCreate={onCreate} />
      <p className="mt-6 text-sm text-ink-3">
        How programs and assistants use a key:{' '}
        <Link to="/docs" className="text-ink underline underline-offset-2">
          Connect a tool
        </Link>
      </p>
    </>
  );
}
