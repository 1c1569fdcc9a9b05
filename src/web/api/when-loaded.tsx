import { type Query, useIsFetching, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { cx } from '#web/ui/cx.ts';

interface WhenLoadedProps {
  /** What the queries of the children have in their keys. */
  ids: readonly string[];
  className?: string;
  children: ReactNode;
}

/** Shows its children once their first requests have ended, so that nothing moves under the pointer. */
export function WhenLoaded({ ids, className, children }: WhenLoadedProps) {
  const client = useQueryClient();
  const [isShown, setIsShown] = useState(false);
  const filters = {
    predicate: ({ queryKey, state }: Query) =>
      state.data === undefined && ids.some((id) => JSON.stringify(queryKey).includes(id)),
  };
  useIsFetching(filters);
  useEffect(() => {
    // Children start their requests in effects, which run before this one.
    if (client.isFetching(filters) === 0) setIsShown(true);
  });
  return (
    <div aria-busy={!isShown} className={cx(className, !isShown && 'invisible')}>
      {children}
    </div>
  );
}
