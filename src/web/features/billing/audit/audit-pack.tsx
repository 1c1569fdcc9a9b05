import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#web/api/api.ts';
import { statementQuery } from '#web/api/queries/billing.ts';
import { Card } from '#web/ui/display/card.tsx';
import { toUtcDay } from '#web/ui/controls/days.ts';
import { Field } from '#web/ui/controls/field.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { ExportButton } from '#web/collections/export-button.tsx';
import { formatUtcMonth } from '../period.ts';
import { addMonths, monthsBetween } from '../statement/months.ts';

const MAX_PACK_MONTHS = 24;

/** Exports everything that an audit of some months needs. */
export function AuditPack() {
  const [thisMonth] = useState(() => toUtcDay(new Date()).slice(0, 7));
  const { data: statement } = useQuery(statementQuery({ month: thisMonth }));
  const [to, setTo] = useState(thisMonth);
  const [chosen, setChosen] = useState(thisMonth);
  const first = statement?.first_month ?? addMonths(thisMonth, 1 - MAX_PACK_MONTHS);
  const oldest = [first, addMonths(to, 1 - MAX_PACK_MONTHS)].toSorted().at(-1) ?? to;
  const from = chosen > to || chosen < oldest ? to : chosen;
  const options = (earliest: string, latest: string) =>
    monthsBetween(earliest, latest)
      .toReversed()
      .map((value) => ({ value, label: formatUtcMonth(value) }));
  return (
    <Card
      title="Audit pack"
      description="One ZIP with the ledger, statements (CSV and PDF), prices, refunds, the audit log and a program that verifies all of it without this studio."
    >
      <div className="flex flex-wrap items-end gap-3">
        <Field label="From" className="w-44">
          <Select value={from} options={options(oldest, to)} onChange={setChosen} />
        </Field>
        <Field label="To" className="w-44">
          <Select value={to} options={options(first, thisMonth)} onChange={setTo} />
        </Field>
        <ExportButton
          label="Export audit pack"
          name={`audit-${from}-${to}.zip`}
          read={() => api.download('export_audit_pack', { query: { from, to } })}
        />
      </div>
    </Card>
  );
}
