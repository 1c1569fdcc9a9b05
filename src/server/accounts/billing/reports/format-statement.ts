import type { Statement } from '#contract/resources/audit.ts';
import { formatCsvRecord } from '#server/platform/core/csv.ts';

/** The CSV records of a statement. */
export async function* formatStatement(statement: Statement): AsyncGenerator<string> {
  yield formatCsvRecord(['section', 'name', 'amount_usd', 'count', 'seq', 'note']);
  for (const { name, value } of describeFilter(statement)) {
    yield formatCsvRecord(['filter', name, null, null, null, value]);
  }
  for (const section of ['opening', 'closing'] as const) {
    for (const [name, amount_usd] of Object.entries(statement[section] ?? {})) {
      yield formatCsvRecord([section, name.replace('_usd', ''), amount_usd, null, null, statement.month]);
    }
  }
  for (const { type, amount_usd, count } of statement.by_type)
    yield formatCsvRecord(['entries', type, amount_usd, count, null, null]);
  yield formatCsvRecord(['entries', 'all', null, statement.entry_count, null, null]);
  const charges = statement.by_type.find(({ type }) => type === 'SETTLE')?.count ?? 0;
  yield formatCsvRecord(['entries', 'spent', statement.spent_usd, charges, null, 'SETTLE less REFUND']);
  if (statement.costs) {
    const { cost_usd, corrected_usd, outside_orders_usd, margin_usd, known_count, unknown_count } = statement.costs;
    const note = unknown_count === 0 ? null : `${unknown_count} charges without a known cost`;
    yield formatCsvRecord(['costs', 'provider_cost', cost_usd, known_count, null, note]);
    yield formatCsvRecord(['costs', 'corrected', corrected_usd, null, null, 'part of provider_cost']);
    yield formatCsvRecord(['costs', 'outside_orders', outside_orders_usd, null, null, 'in neither']);
    yield formatCsvRecord(['costs', 'margin', margin_usd, known_count, null, 'of work with a known cost']);
  }
  yield formatCsvRecord(['entries', 'head', null, null, statement.head_seq ?? null, statement.head_hash]);
  for (const { by, rows } of statement.breakdowns) {
    for (const { id, name, amount_usd, count } of rows) {
      yield formatCsvRecord([`by ${by}`, name, amount_usd, count, null, id]);
    }
  }
  for (const { since, data } of statement.prices) {
    for (const price of data) {
      const name = [price.task, price.model].filter(Boolean).join(' ');
      const note = [describePrice(price), ...(since === null ? [] : [`since ${since}`])].join(', ');
      yield formatCsvRecord(['price', name, price.unit_price_usd, null, null, note]);
    }
  }
}

/** "per image (size: 2K × 1.5, 4K × 2), at least 0.30": what explains a charge. `verify.mjs` has the same text. */
function describePrice({ unit, minimum_usd, multipliers = {} }: Statement['prices'][number]['data'][number]): string {
  const factors = Object.entries(multipliers).map(([field, options]) => {
    const texts = Object.entries(options).map(([option, factor]) => `${option} × ${factor}`);
    return `${field}: ${texts.join(', ')}`;
  });
  const factorText = factors.length === 0 ? '' : ` (${factors.join('; ')})`;
  return `per ${unit}${factorText}${Number(minimum_usd) === 0 ? '' : `, at least ${minimum_usd}`}`;
}

/** What a statement is limited to, one line per person or tag. */
export function describeFilter({ filter }: Statement): { name: string; value: string }[] {
  const { person = null, tags = {} } = filter ?? {};
  return [
    ...(person ? [{ name: 'person', value: person.name }] : []),
    ...Object.entries(tags).map(([name, value]) => ({ name, value: value ?? '(none)' })),
  ];
}
