import { getRouteApi, Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useCan } from '#web/api/queries/permissions.ts';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { Page } from '#web/ui/page.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { CollectionView } from '#web/collections/collection-view.tsx';
import { WORKFLOW_RUNS } from './runs/workflow-runs.tsx';
import { Starters } from './starters/starters.tsx';
import { omitUndefined } from '#web/ui/search-params.ts';
import type { WorkflowsSearch } from './workflows-search.ts';

const route = getRouteApi('/workflows');
const TABS = [
  { value: 'starters', label: 'Workflows' },
  { value: 'runs', label: 'Runs' },
] as const;

export function WorkflowsPage() {
  return (
    <Page title="Workflows" intro="Multi-step recipes: fill in one form, see the price, run." actions={<NewLink />}>
      <RequireSession to="see and run workflows">
        <WorkflowTabs />
      </RequireSession>
    </Page>
  );
}

function WorkflowTabs() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { part, ...filters } = search;
  const isFiltered = Object.keys(filters).some((name) => name !== 'q');
  const shown = part ?? (isFiltered ? 'runs' : 'starters');
  const go = (next: WorkflowsSearch, replace: boolean) =>
    void navigate({ search: omitUndefined(next), replace, resetScroll: false });
  const change = (changed: Partial<WorkflowsSearch>) => go({ ...search, ...changed }, true);
  return (
    <Tabs
      label="Workflows"
      value={shown}
      tabs={TABS}
      onChange={(next) => go({ part: next === 'runs' ? next : undefined }, false)}
    >
      {shown === 'runs' ? (
        <CollectionView
          collection={WORKFLOW_RUNS}
          search={search}
          onChange={(changed) => change({ part: 'runs', ...changed })}
        />
      ) : (
        <Starters q={search.q ?? ''} onSearch={(q) => change({ q: q || undefined })} />
      )}
    </Tabs>
  );
}

function NewLink() {
  if (!useCan('work.create')) return null;
  return (
    <Link to="/workflows/new" className={buttonClass()}>
      <Plus aria-hidden="true" className="size-4" />
      New workflow
    </Link>
  );
}
