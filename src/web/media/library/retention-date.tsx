import { useQuery } from '@tanstack/react-query';
import { meQuery } from '#web/api/queries/me.ts';
import { ExactTime } from '#web/ui/relative-time.tsx';
import { formatRetention } from './format-retention.ts';

export function RetentionDate({ at }: { at: string | null }) {
  const { data } = useQuery(meQuery);
  if (at === null) return 'Kept until deleted';
  const rule = formatRetention(data?.media?.kept_days);
  return (
    <>
      Kept until <ExactTime at={at} />
      {rule ? <span className="block text-xs text-ink-3">{rule}</span> : null}
    </>
  );
}
