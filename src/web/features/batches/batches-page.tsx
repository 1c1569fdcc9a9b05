import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useCan } from '#web/api/queries/permissions.ts';
import { CollectionView } from '#web/collections/collection-view.tsx';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { useCommands } from '#web/ui/hooks/commands.ts';
import { GenerationTabs } from '#web/media/generation-tabs.tsx';
import { Page } from '#web/ui/page.tsx';
import { BATCHES } from './batch-list.tsx';

const route = getRouteApi('/batches');

export function BatchesPage() {
  const search = route.useSearch();
  return (
    <Page
      title="Batches"
      intro="Many orders at once: from prompts, a CSV file, or a grid of models."
      actions={<NewBatchLink />}
    >
      <GenerationTabs current="/batches" />
      <RequireSession to="see batches" permission="work.read">
        <CollectionView collection={BATCHES} search={search} />
      </RequireSession>
    </Page>
  );
}

function NewBatchLink() {
  const canCreate = useCan('work.create');
  const navigate = useNavigate();
  const open = () => void navigate({ to: '/batches/new' });
  useCommands(canCreate ? [{ group: 'Batches', label: 'New batch', keys: 'n', run: open }] : []);
  return canCreate ? (
    <Link to="/batches/new" className={buttonClass({ variant: 'primary' })}>
      <Plus aria-hidden="true" className="size-4" />
      New batch
    </Link>
  ) : null;
}
