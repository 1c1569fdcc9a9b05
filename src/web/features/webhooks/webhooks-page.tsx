import { Link } from '@tanstack/react-router';
import { Plus, ScanSearch } from 'lucide-react';
import { useState } from 'react';
import { useIsOperator } from '#web/api/queries/me.ts';
import { useCommands } from '#web/ui/commands.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Page } from '#web/ui/page.tsx';
import { EndpointList } from './endpoint-list.tsx';
import { EndpointsSkeleton } from './endpoints-skeleton.tsx';
import { RequireOperator } from './require-operator.tsx';

const CreateEndpointDialog = lazyComponent(
  async () => (await import('./create-endpoint-dialog.tsx')).CreateEndpointDialog,
);

/** The endpoints that are notified, and their health. */
export function WebhooksPage() {
  const [creating, setCreating] = useState(false);
  const mayManage = useIsOperator();
  const create = () => setCreating(true);
  useCommands(mayManage ? [{ group: 'Webhooks', label: 'New endpoint…', icon: Plus, keys: 'n', run: create }] : []);
  return (
    <Page
      title="Webhooks"
      intro="Notify other systems when work finishes. Each delivery is signed, and retried until it is accepted."
      actions={
        <>
          <Link to="/webhooks/check" className={buttonClass()}>
            <ScanSearch aria-hidden="true" className="size-4" />
            Check a signature
          </Link>
          {mayManage ? (
            <Button
              variant="primary"
              icon={<Plus aria-hidden="true" className="size-4" />}
              onPointerEnter={CreateEndpointDialog.preload}
              onFocus={CreateEndpointDialog.preload}
              onClick={create}
            >
              New endpoint
            </Button>
          ) : null}
        </>
      }
    >
      <RequireOperator skeleton={<EndpointsSkeleton />}>
        {(endpoints) => <EndpointList endpoints={endpoints} onCreate={create} />}
      </RequireOperator>
      {creating ? <CreateEndpointDialog onClose={() => setCreating(false)} /> : null}
    </Page>
  );
}
