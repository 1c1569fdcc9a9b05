import { type Query, useIsFetching, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
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
  const names = ids.join('\n');
  const filters = useMemo(
    () => ({
      predicate: ({ queryKey, state }: Query) =>
        state.data === undefined && names.split('\n').some((name) => JSON.stringify(queryKey).includes(name)),
    }),
    [names],
  );
  const fetching = useIsFetching(filters);
  useEffect(() => {
    // In the next frame, the requests of all children have begun, also of those that follow another.
    const frame = requestAnimationFrame(() => {
      if (fetching === 0 && client.isFetching(filters) === 0) setIsShown(true);
    });
    return () => cancelAnimationFrame(frame);
  }, [client, filters, fetching]);
  return (
    <div aria-busy={!isShown} className={cx(className, !isShown && 'invisible')}>
      {children}
    </div>
  );
}
