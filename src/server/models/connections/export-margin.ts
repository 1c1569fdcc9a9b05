import type { Margin, MarginRow } from '#contract/resources/margin.ts';
import { formatCsvRecord } from '#server/platform/core/csv.ts';

const COLUMNS = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  jobs: ({ count }) => count,
  charged_usd: ({ charged_usd }) => charged_usd,
  cost_usd: ({ cost_usd }) => cost_usd,
  margin_usd: ({ margin_usd }) => margin_usd,
  reported_costs: ({ by_basis }) => by_basis.reported,
  computed_costs: ({ by_basis }) => by_basis.computed,
  list_costs: ({ by_basis }) => by_basis.list,
  unknown_costs: ({ unknown_cost_count }) => unknown_cost_count,
} as const satisfies Record<string, (row: MarginRow) => string | number>;

/** Formats the rows as CSV. Totals are left out, so that a spreadsheet can sum the columns. */
export async function* exportMargin({ group_by, data }: Margin): AsyncGenerator<string> {
  yield formatCsvRecord(['group_by', ...Object.keys(COLUMNS)]);
  for (const row of data) yield formatCsvRecord([group_by, ...Object.values(COLUMNS).map((column) => column(row))]);
}
