import type { FocusView } from '#contract/resources/audit.ts';
import { api } from '#web/api/api.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { ExportButton } from '#web/collections/export-button.tsx';

const FOCUS_LABELS = { charges: 'Charges', costs: 'Provider costs' } as const satisfies Record<FocusView, string>;

/** The whole month for tools that compare costs, whatever the statement is filtered by. */
export function FocusExport({ period }: { period: string }) {
  const canSeeCosts = useCan('costs.read');
  const views = canSeeCosts ? (['charges', 'costs'] as const) : (['charges'] as const);
  return (
    <section aria-label="FOCUS" className="flex flex-col gap-2">
      <p className="text-sm text-ink-2">Whole month as FOCUS 1.2, for cost tools</p>
      <div className="flex flex-wrap gap-2">
        {views.map((view) => (
          <ExportButton
            key={view}
            label={FOCUS_LABELS[view]}
            name={`focus ${view} ${period}.csv`}
            read={() => api.download('export_focus', { query: { period, view } })}
          />
        ))}
      </div>
    </section>
  );
}
