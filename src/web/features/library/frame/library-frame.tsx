import { type ReactNode, useState } from 'react';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { useSession } from '#web/api/session/session.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { LibraryMenu } from './library-menu.tsx';
import { LibraryRail } from './library-rail.tsx';

const NewCollectionDialog = lazyComponent(
  async () => (await import('../collections/new-collection-dialog.tsx')).NewCollectionDialog,
);

interface LibraryFrameProps {
  /** The open place: see `FIRST_PLACES`, or the id of a collection. */
  place: string;
  title: string;
  /** Replaces the heading. */
  heading?: ReactNode;
  intro?: ReactNode;
  /** Completes “Sign in to …”. */
  purpose: string;
  children: ReactNode;
}

/** The places of the library beside the open one; on a narrow page, above it in a menu. */
export function LibraryFrame({ place, title, heading, intro, purpose, children }: LibraryFrameProps) {
  const isSignedIn = useSession() === 'signed_in';
  /** Files for a new collection; null: the dialog is closed. */
  const [added, setAdded] = useState<readonly string[] | null>(null);
  const onCreate = (media_ids: readonly string[] = []) => setAdded(media_ids);
  return (
    <div className="@container/library min-w-0 px-4 pt-5 pb-12 md:px-8 md:pt-8">
      <title>{`${title} · Emulsion`}</title>
      <div className="@5xl/library:flex @5xl/library:items-start @5xl/library:gap-8">
        {isSignedIn ? <LibraryRail place={place} onCreate={onCreate} /> : null}
        <div className="@container min-w-0 flex-1">
          {isSignedIn ? (
            <div className="mb-2 @5xl/library:hidden">
              <LibraryMenu place={place} title={title} onCreate={() => onCreate()} />
            </div>
          ) : null}
          {heading ?? (
            <header className="mb-3 flex min-h-9 flex-wrap items-baseline gap-x-4 gap-y-1">
              <h1 tabIndex={-1} className="text-xl font-semibold tracking-[-0.015em] outline-none">
                {title}
              </h1>
              {intro}
            </header>
          )}
          <RequireSession to={purpose}>{children}</RequireSession>
        </div>
      </div>
      {added ? <NewCollectionDialog media_ids={added} onClose={() => setAdded(null)} /> : null}
    </div>
  );
}
