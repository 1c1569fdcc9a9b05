import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown, Plus } from 'lucide-react';
import { collectionsQuery } from '#web/api/queries/collections.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { CollectionCover } from '#web/media/library/collections/collection-cover.tsx';
import { Button } from '#web/ui/button.tsx';
import { Menu, MenuItem, MenuLink, MenuSeparator } from '#web/ui/menu.tsx';
import { FIRST_PLACES, LAST_PLACES } from './library-places.ts';

interface LibraryMenuProps {
  place: string;
  title: string;
  onCreate: () => void;
}

/** The places of the library where there is no room for the rail. */
export function LibraryMenu({ place, title, onCreate }: LibraryMenuProps) {
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
