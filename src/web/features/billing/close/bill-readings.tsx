import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import type { BillReading } from '#contract/resources/provider-bill.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { billReadingsQuery, useReadBill } from '#web/api/queries/provider-bills.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';

/** Providers whose bills are read: when that was, and why not. */
export function BillReadings({ month }: { month: string }) {
  const { data = [] } = useQuery(billReadingsQuery(month));
  if (data.length === 0) return null;
  return (
    <ul aria-label="Bills that are read" className="divide-y divide-line rounded-md border border-line bg-surface">
      {data.map((reading) => (
        <Reading key={reading.provider.id} month={month} reading={reading} />
      ))}
    </ul>
  );
}

function Reading({ month, reading: { provider, read_at, problem } }: { month: string; reading: BillReading }) {
  const canRead = useCan('funds.manage');
  const { mutate, isPending, error } = useReadBill();
  const read = () =>
    mutate(
      { provider_id: provider.id, month },
      { onSuccess: () => showToast({ title: `Bill of ${provider.name} read`, tone: 'good' }) },
    );
  const failure = error?.message ?? problem;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2 text-sm">
      <p aria-live="polite" className="min-w-0 flex-[1_1_14rem] wrap-anywhere">
        <bdi>{provider.name}</bdi>{' '}
        <span className="text-ink-3">
          {read_at === null ? (
            'not read yet'
          ) : (
            <>
              read <RelativeTime at={read_at} />
            </>
          )}
        </span>
        {failure === null ? null : <span className="block text-bad">Last read failed: {failure}</span>}
      </p>
      {canRead ? (
        <Button
          size="sm"
          busy={isPending}
          icon={<RefreshCw aria-hidden="true" className="size-4" />}
          aria-label={`Read now: the bill of ${provider.name}`}
          onClick={read}
        >
          Read now
        </Button>
      ) : null}
    </li>
  );
}
