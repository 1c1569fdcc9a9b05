import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useMemo, useState } from 'react';
import { api } from '#web/api/api.ts';
import { closeQuery } from '#web/api/queries/closing.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { CollectionRows, useCollection, useCollectionCommands } from '#web/collections/collection-view.tsx';
import { ExportButton } from '#web/collections/export-button.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Refreshing } from '#web/ui/display/refreshing.tsx';
import { Popover } from '#web/ui/overlays/popover.tsx';
import type { BillingTabProps } from '../billing-search.ts';
import { FocusExport } from '../statement/focus-export.tsx';
import { MonthSelect } from '../statement/month-select.tsx';
import { addMonths } from '../statement/months.ts';
import { AddBillButton } from './add-bill-button.tsx';
import { BillReadings } from './bill-readings.tsx';
import { BillDetails } from './bill-details.tsx';
import { defaultCloseMonth } from './close-month.ts';
import { providersOf } from './month-providers.tsx';
import { MonthState } from './month-state.tsx';
import { ProviderClose } from './provider-close.tsx';

const MONTHS_BACK = 24;

/** Our costs of a month beside the bills of providers. */
export function CloseView({ search, onChange }: BillingTabProps) {
  const [lastMonth] = useState(defaultCloseMonth);
  const month = search.month ?? lastMonth;
  if (search.bill !== undefined) return <BillDetails id={search.bill} fromRow={search.row} />;
  if (search.provider !== undefined)
    return <ProviderClose month={month} providerId={search.provider} search={search} onChange={onChange} />;
  return (
    <div className="flex max-w-4xl flex-col gap-5">
      <MonthBar month={month} latest={addMonths(lastMonth, 1)} onChange={(next) => onChange({ month: next })} />
      <BillReadings month={month} />
      <CloseMonth month={month} />
    </div>
  );
}

interface MonthBarProps {
  month: string;
  latest: string;
  onChange: (month: string) => void;
}

function MonthBar({ month, latest, onChange }: MonthBarProps) {
  const close = useQuery(closeQuery(month)).data;
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <MonthSelect month={month} earliest={addMonths(latest, -MONTHS_BACK)} latest={latest} onChange={onChange} />
      <div className="flex flex-wrap gap-2">
        <MonthExport month={month} />
        {close?.status === 'open' ? (
          <AddBillButton month={month} providers={close.data.map(({ provider }) => provider)} />
        ) : null}
      </div>
    </div>
  );
}

function MonthExport({ month }: { month: string }) {
  const canExportPack = useCan('ledger.verify');
  return (
    <Popover
      aria-label="Export"
      align="end"
      className="flex w-72 flex-col gap-4 p-4"
      renderTrigger={(props) => (
        <Button {...props} icon={<Download aria-hidden="true" className="size-4" />}>
          Export…
        </Button>
      )}
    >
      <FocusExport period={month} />
      {canExportPack ? (
        <section aria-label="Audit pack" className="flex flex-col gap-2">
          <p className="text-sm text-ink-2">Ledger, bills and closings, with a program that verifies them</p>
          <div>
            <ExportButton
              label="Audit pack"
              name={`audit-${month}.zip`}
              read={() => api.download('export_audit_pack', { query: { from: month, to: month } })}
            />
          </div>
        </section>
      ) : null}
    </Popover>
  );
}

const NO_SEARCH = {};
const ignore = () => undefined;

function CloseMonth({ month }: { month: string }) {
  const close = useQuery(closeQuery(month));
  const collection = useMemo(() => providersOf(month), [month]);
  const state = useCollection(collection, { search: NO_SEARCH, onChange: ignore });
  useCollectionCommands(collection, state);
  return (
    <>
      {close.data ? (
        <Refreshing active={close.isPlaceholderData}>
          <MonthState close={close.data} />
        </Refreshing>
      ) : null}
      <CollectionRows collection={collection} state={state} />
    </>
  );
}
