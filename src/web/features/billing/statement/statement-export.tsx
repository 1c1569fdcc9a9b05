import { Download } from 'lucide-react';
import { useState } from 'react';
import { SPENDING_GROUPS, type SpendingGroup } from '#contract/money/ledger.ts';
import { api } from '#web/api/api.ts';
import type { EndpointFilters } from '#web/api/api-query.ts';
import { ExportButton } from '#web/collections/export-button.tsx';
import { useCan } from '#web/api/queries/permissions.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Checkbox } from '#web/ui/controls/checkbox.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { Popover } from '#web/ui/overlays/popover.tsx';
import { omitUndefined } from '#web/ui/search-params.ts';
import { Select } from '#web/ui/controls/select.tsx';
import { useDimensionOptions } from '../report-dimensions.ts';
import { FocusExport } from './focus-export.tsx';

interface StatementExportProps {
  /** Month and filter of the statement. */
  query: EndpointFilters<'get_statement'> & { month: string };
  by: SpendingGroup | undefined;
  onChange: (by: SpendingGroup | undefined) => void;
}

const NOTHING = '';

/** What an exported statement has beside the month: a client may get the file, so costs are never in it unasked. */
export function StatementExport({ query, by, onChange }: StatementExportProps) {
  const [hasCosts, setHasCosts] = useState(false);
  const canSeeCosts = useCan('costs.read');
  const groups = useDimensionOptions(SPENDING_GROUPS);
  const file = {
    query: omitUndefined({ ...query, by, costs: hasCosts && canSeeCosts ? ('true' as const) : undefined }),
  };
  const name = ['statement', query.month, by?.replace(':', '-')].filter(Boolean).join(' ');
  return (
    <Popover
      aria-label="Export"
      align="end"
      className="w-72 p-4"
      renderTrigger={(props) => (
        <Button {...props} icon={<Download aria-hidden="true" className="size-4" />}>
          Export…
        </Button>
      )}
    >
      <div className="flex flex-col gap-4">
        <Field label="Spent by">
          <Select
            value={by ?? NOTHING}
            options={[{ value: NOTHING, label: 'Not broken down' }, ...groups]}
            onChange={(next) => onChange(next === NOTHING ? undefined : next)}
          />
        </Field>
        {canSeeCosts ? (
          <Checkbox
            checked={hasCosts}
            onChange={setHasCosts}
            label="Include our costs"
            hint="What providers charged, and the margin. Leave it out for a client."
          />
        ) : null}
        <div className="flex flex-wrap gap-2">
          <ExportButton name={`${name}.csv`} read={() => api.download('export_statement', file)} />
          <ExportButton label="Export PDF" name={`${name}.pdf`} read={() => api.download('print_statement', file)} />
        </div>
        <div className="border-t border-line pt-3">
          <FocusExport period={query.month} />
        </div>
      </div>
    </Popover>
  );
}
