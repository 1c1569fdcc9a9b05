import { getRouteApi, Link, Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { useCannot } from '#web/api/queries/permissions.ts';
import { createPageLink } from '#web/api/create-page-link.ts';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { GenerationListView } from './generation-list-view.tsx';
import { LayoutGrid, List } from 'lucide-react';
import { GenerationTabs } from '#web/media/generation-tabs.tsx';
import type { GenerationSearch } from './generation-search.ts';
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx';

const VIEWS = [
  { value: 'table', label: <List aria-hidden="true" className="size-4" />, name: 'Table' },
  { value: 'gallery', label: <LayoutGrid aria-hidden="true" className="size-4" />, name: 'Gallery' },
] as const;

interface ViewSwitchProps {
  view: GenerationSearch['view'];
  onChange: (view: GenerationSearch['view']) => void;
}

function ViewSwitch({ view, onChange }: ViewSwitchProps) {
  return (
    <SegmentedControl
      label="View"
      value={view ?? 'table'}
      options={VIEWS}
      onChange={(next) => onChange(next === 'gallery' ? next : undefined)}
    />
  );
}

const route = getRouteApi('/generations');

export function GenerationsPage() {
  const { id } = useParams({ strict: false });
  const search = route.useSearch();
  const navigate = useNavigate();
  const isForbidden = useCannot('work.create');
  return (
    <div className={cx(id !== undefined && 'lg:grid lg:grid-cols-[minmax(0,1fr)_clamp(24rem,38vw,40rem)]')}>
      <title>Generations · Emulsion</title>
      <div className="@container min-w-0 px-4 pt-5 pb-12 md:px-8 md:pt-8">
        <header className="mb-3 flex items-center gap-3">
          <h1 tabIndex={-1} className="mr-auto text-xl font-semibold tracking-[-0.015em] outline-none">
            Generations
          </h1>
          <ViewSwitch
            view={search.view}
            onChange={(view) =>
              void navigate({
                to: '.',
                search: (before) => ({ ...before, view }),
                replace: true,
              })
            }
          />
          {isForbidden ? null : (
            <Link {...createPageLink()} className={cx(buttonClass({ variant: 'primary' }), 'max-md:hidden')}>
              Create
            </Link>
          )}
        </header>
        <GenerationTabs current="/generations" />
        <RequireSession to="see generations">
          <GenerationListView search={search} openId={id} />
        </RequireSession>
      </div>
      <Outlet />
    </div>
  );
}
