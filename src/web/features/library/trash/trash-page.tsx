import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { TRASH_DAYS } from '#contract/trash.ts';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { TrashView } from './trash-view.tsx';

export function TrashPage() {
  return (
    <div className="@container min-w-0 px-4 pt-5 pb-12 md:px-8 md:pt-8">
      <title>Trash · Emulsion</title>
      <header className="mb-3 flex flex-col gap-1">
        <Link to="/library" className="flex w-fit items-center gap-1.5 rounded-sm text-sm text-ink-2 hover:text-ink">
          <ArrowLeft aria-hidden="true" className="size-4" />
          Library
        </Link>
        <h1 tabIndex={-1} className="text-xl font-semibold tracking-[-0.015em] outline-none">
          Trash
        </h1>
        <p className="text-sm text-ink-3">Deleted files can be restored for {TRASH_DAYS} days.</p>
      </header>
      <RequireSession to="open the trash">
        <TrashView />
      </RequireSession>
    </div>
  );
}
