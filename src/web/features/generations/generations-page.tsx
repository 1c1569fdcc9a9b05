import { getRouteApi, Link, Outlet, useParams } from '@tanstack/react-router';
import { RequireSession } from '#web/session/require-session.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { GenerationListView } from './generation-list-view.tsx';

const route = getRouteApi('/generations');

/** Everything that was made: the list, and beside it (on a phone over it) the one that is open. */
export function GenerationsPage() {
  const { id } = useParams({ strict: false });
  const search = route.useSearch();
  return (
    <div className={cx(id !== undefined && 'lg:grid lg:grid-cols-[minmax(0,1fr)_clamp(24rem,38vw,40rem)]')}>
      <title>Generations · Emulsion</title>
      <div className="@container min-w-0 px-4 pt-5 pb-12 md:px-8 md:pt-8">
        <header className="mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
          <h1 tabIndex={-1} className="text-xl font-semibold tracking-[-0.015em] outline-none">
            Generations
          </h1>
          <Link to="/create/{-$task}/{-$model}" className={buttonClass({ variant: 'primary' })}>
            Create
          </Link>
        </header>
        <RequireSession to="see what was made">
          <GenerationListView search={search} openId={id} />
        </RequireSession>
      </div>
      <Outlet />
    </div>
  );
}
