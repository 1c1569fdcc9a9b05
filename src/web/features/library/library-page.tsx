import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { TRASH_DAYS } from '#contract/limits.ts';
import type { Collection } from '#contract/resources/collection.ts';
import { formatRetention } from '#web/media/library/retention-date.tsx';
import { collectionsQuery } from '#web/api/queries/collections.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { useSession } from '#web/api/session/session.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { CollectionMissing } from './collections/collection-missing.tsx';
import { LibraryFrame } from './frame/library-frame.tsx';
import type { LibrarySearch } from './library-search.ts';
import { LibraryView } from './library-view.tsx';
import { UploadButton } from './upload-button.tsx';

const CollectionHeader = lazyComponent(
  async () => (await import('./collections/collection-header.tsx')).CollectionHeader,
);

const route = getRouteApi('/library');

export function LibraryPage() {
  const search = route.useSearch();
  const { collection: collection_id } = search;
  const isSignedIn = useSession() === 'signed_in';
  const { data: collections } = useQuery({ ...collectionsQuery, enabled: isSignedIn && collection_id !== undefined });
  useEffect(() => {
    if (collection_id !== undefined) CollectionHeader.preload();
  }, [collection_id]);
  const collection = collections?.find(({ id }) => id === collection_id);
  const isMissing = collection_id !== undefined && collections !== undefined && collection === undefined;
  return (
    <LibraryFrame
      place={placeOf(search)}
      title={titleOf(search, collection)}
      heading={collection ? <CollectionHeader key={collection.id} collection={collection} /> : undefined}
      intro={collection_id === undefined ? <Retention /> : null}
      purpose="open the library"
    >
      {isMissing ? <CollectionMissing /> : <LibraryView search={search} scope="library" collection={collection} />}
    </LibraryFrame>
  );
}

const uploadsRoute = getRouteApi('/uploads');

export function UploadsPage() {
  const isSignedIn = useSession() === 'signed_in';
  return (
    <LibraryFrame
      place="uploads"
      title="Uploads"
      intro={
        <>
          <Retention />
          {isSignedIn ? (
            <span className="ml-auto self-center">
              <UploadButton />
            </span>
          ) : null}
        </>
      }
      purpose="see uploads"
    >
      <LibraryView search={uploadsRoute.useSearch()} scope="uploads" />
    </LibraryFrame>
  );
}

const trashRoute = getRouteApi('/library/trash');

export function TrashPage() {
  return (
    <LibraryFrame
      place="trash"
      title="Trash"
      intro={<p className="text-sm text-ink-3">Deleted files can be restored for {TRASH_DAYS} days.</p>}
      purpose="open the trash"
    >
      <LibraryView search={trashRoute.useSearch()} scope="trash" />
    </LibraryFrame>
  );
}

const placeOf = ({ collection, starred }: LibrarySearch): string => collection ?? (starred ? 'starred' : 'all');

const titleOf = ({ collection: id }: LibrarySearch, collection: Collection | undefined): string =>
  id === undefined ? 'Library' : (collection?.name ?? 'Collection');

function Retention() {
  const { data } = useQuery({ ...meQuery, enabled: useSession() === 'signed_in' });
  const sentence = formatRetention(data?.media?.kept_days);
  return sentence ? <p className="text-sm text-ink-3">{sentence}</p> : null;
}
