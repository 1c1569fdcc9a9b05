import { useState } from 'react';
import { api } from '#web/api/api.ts';
import { Card } from '#web/ui/card.tsx';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';
import { ExportButton } from '../export-button.tsx';
import { formatUtcMonth } from '../period.ts';
import { addMonths, monthsBetween } from './months.ts';

const MAX_PACK_MONTHS = 24;

interface AuditPackProps {
  /** `YYYY-MM`, like `earliest` and `latest`. */
  month: string;
  earliest: string;
  latest: string;
}

/** Exports everything that an audit of some months needs. */
export function AuditPack({ month, earliest, latest }: AuditPackProps) {
  const [chosen, setChosen] = useState<string>();
  const oldest = [earliest, addMonths(month, 1 - MAX_PACK_MONTHS)].toSorted().at(-1) ?? month;
  const from = chosen === undefined || chosen > month || chosen < oldest ? month : chosen;
  const options = monthsBetween(oldest, month > latest ? latest : month)
    .toReversed()
    .map((value) => ({ value, label: formatUtcMonth(value) }));
  return (
    <Card
      title="Audit pack"
      description="One ZIP with the ledger, statements (CSV and PDF), prices, refunds, the audit log and a program that verifies all of it without this studio."
    >
      <div className="flex flex-wrap items-end gap-3">
        <Field label="From" className="w-44">
          <Select value={from} options={options} onChange={setChosen} />
        </Field>
        <p className="flex h-9 items-center text-sm text-ink-2">to {formatUtcMonth(month)}</p>
        <ExportButton
          label="Export audit pack"
          name={`audit-${from}-${month}.zip`}
          read={() => api.download('export_audit_pack', { query: { from, to: month } })}
        />
      </div>
    </Card>
  );
}
