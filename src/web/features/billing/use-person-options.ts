import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { NO_PERSON } from '#contract/ledger.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { peopleQuery } from '#web/api/queries/people.ts';
import type { SelectOption } from '#web/ui/select.tsx';

/** Whose spending can be chosen: everybody who is or was in the organization, and programs. @param selected is always one of them */
export function usePersonOptions(selected: string | undefined): SelectOption<string>[] {
  const canRead = useCan('people.read');
  const [active, removed] = [usePeople('active', canRead), usePeople('removed', canRead)];
  const options = [
    { value: NO_PERSON, label: 'Programs' },
    ...active.map(({ id, name }) => ({ value: id, label: name })),
    ...removed.map(({ id, name }) => ({ value: id, label: name, note: 'removed' })),
  ];
  if (selected === undefined || options.some(({ value }) => value === selected)) return options;
  return [...options, { value: selected, label: `Person …${selected.slice(-6)}` }];
}

function usePeople(status: 'active' | 'removed', enabled: boolean) {
  const { data, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({ ...peopleQuery(status), enabled });
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  return data?.pages.flatMap((page) => page.data) ?? [];
}
