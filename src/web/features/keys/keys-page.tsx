import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useCan } from '#web/api/queries/permissions.ts';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Page } from '#web/ui/page.tsx';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { KeyList, NewKeyContext } from './key-list.tsx';

export function KeysPage() {
  const [creating, setCreating] = useState(false);
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
        <NewKeyContext value={create}>
          <KeyList />
        </NewKeyContext>
        <p className="mt-6 text-sm text-ink-3">
          How programs and assistants use a key:{' '}
          <Link to="/docs" className="text-ink underline underline-offset-2">
            Connect a tool
          </Link>
        </p>
      </RequireSession>
      {creating ? <CreateKeyDialog onClose={() => setCreating(false)} /> : null}
    </Page>
  );
}
