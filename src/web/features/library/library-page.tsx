import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { formatRetention } from '#web/media/library/retention-date.tsx';
import { meQuery } from '#web/api/queries/me.ts';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { useSession } from '#web/api/session/session.ts';
import { LibraryView } from './library-view.tsx';

const route = getRouteApi('/library');

export function LibraryPage() {
  const search = route.useSearch();
  return (
    <div className="@container min-w-0 px-4 pt-5 pb-12 md:px-8 md:pt-8">
      <title>Library · Emulsion</title>
      <header className="mb-3 flex min-h-9 flex-wrap items-baseline gap-x-4 gap-y-1">
        <h1 tabIndex={-1} className="text-xl font-semibold tracking-[-0.015em] outline-none">
          Library
        </h1>
        <Retention />
        <Link
          to="/library/trash"
          className="ml-auto flex items-center gap-1.5 self-center rounded-sm text-sm text-ink-2 hover:text-ink"
        >
          <Trash2 aria-hidden="true" className="size-4" />
          Trash
        </Link>
      </header>
      <RequireSession to="open the library">
        <LibraryView search={search} />
      </RequireSession>
    </div>
  );
}

function Retention() {
  const { data } = useQuery({ ...meQuery, enabled: useSession() === 'signed_in' });
  const sentence = formatRetention(data?.media?.kept_days);
  return sentence ? <p className="text-sm text-ink-3">{sentence}</p> : null;
}
