import { type ReactNode, useState } from 'react';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { useSession } from '#web/api/session/session.ts';
import { LibraryRail } from './library-rail.tsx';
import { Link } from '@tanstack/react-router';
import { collectionsQuery } from '#web/api/queries/collections.ts';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, Plus } from 'lucide-react';
import { useCan } from '#web/api/queries/permissions.ts';
import { CollectionCover } from '#web/media/library/collections/collection-cover.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Menu, MenuItem, MenuLink, MenuSeparator } from '#web/ui/overlays/menu.tsx';
import { FIRST_PLACES, LAST_PLACES } from './library-places.ts';

const NewCollectionDialog = lazyComponent(
  async () => (await import('./new-collection-dialog.tsx')).NewCollectionDialog,
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
  const onCreate = (mediaIds: readonly string[] = []) => setAdded(mediaIds);
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

interface LibraryMenuProps {
  place: string;
  title: string;
  onCreate: () => void;
}

/** The places of the library where there is no room for the rail. */
function LibraryMenu({ place, title, onCreate }: LibraryMenuProps) {
  const { data: collections } = useQuery(collectionsQuery);
  const canChange = useCan('work.create');
  const current = (each: string) => (each === place ? 'page' : undefined);
  const places = (list: typeof FIRST_PLACES) =>
    list.map(({ place: each, label, icon: Icon, link }) => (
      <MenuLink key={each} link={<Link {...link} aria-current={current(each)} />}>
        <Icon aria-hidden="true" />
        {label}
      </MenuLink>
    ));
  return (
    <Menu
      label="Library"
      align="start"
      renderTrigger={(props) => (
        <Button {...props} size="sm" iconEnd={<ChevronDown aria-hidden="true" className="size-3.5 text-ink-3" />}>
          <span className="sr-only">Go to a part of the library. Open: </span>
          {place === 'all' ? 'All media' : title}
        </Button>
      )}
    >
      {places(FIRST_PLACES)}
      {collections?.length ? <MenuSeparator /> : null}
      {collections?.map((collection) => (
        <MenuLink
          key={collection.id}
          link={<Link to="/library" search={{ collection: collection.id }} aria-current={current(collection.id)} />}
        >
          <CollectionCover collection={collection} className="size-4" />
          <span dir="auto" className="min-w-0 flex-1 truncate">
            {collection.name}
          </span>
        </MenuLink>
      ))}
      {canChange && collections ? (
        <MenuItem icon={<Plus aria-hidden="true" />} onSelect={onCreate}>
          New collection
        </MenuItem>
      ) : null}
      <MenuSeparator />
      {places(LAST_PLACES)}
    </Menu>
  );
}
