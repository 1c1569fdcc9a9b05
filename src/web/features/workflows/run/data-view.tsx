import { isObject } from '#web/ui/is-object.ts';
import { formatNumber } from '#web/ui/formats.ts';
import { DescriptionList } from '#web/ui/section.tsx';
import { toLabel } from './read-results.ts';

type Json = Readonly<Record<string, unknown>>;

function formatDataValue(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return JSON.stringify(value);
}

export function DataView({ value, name }: { value: unknown; name: string }) {
  if (isObject(value))
    return (
      <DescriptionList
        rows={Object.entries(value).map(([key, part]) => ({ name: toLabel(key), value: formatDataValue(part) }))}
      />
    );
  if (!Array.isArray(value))
    return <p className="max-h-72 overflow-y-auto whitespace-pre-wrap wrap-anywhere">{formatDataValue(value)}</p>;
  const rows = value.filter(isObject);
  if (rows.length < value.length)
    return (
      <ul className="list-disc pl-5 marker:text-ink-3">
        {value.map((item, at) => (
          // Texts in a list have no identity of their own.
          // oxlint-disable-next-line react/no-array-index-key -- see above
          <li key={at} className="wrap-anywhere">
            {formatDataValue(item)}
          </li>
        ))}
      </ul>
    );
  return <DataTable rows={rows} name={name} />;
}

function DataTable({ rows, name }: { rows: readonly Json[]; name: string }) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return (
    // Scrollable regions must be focusable for the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
    <section tabIndex={0} aria-label={name} className="max-h-80 overflow-auto rounded-md border border-line">
      <table className="w-full text-sm">
        <thead className="sticky top-0 bg-surface text-left text-xs text-ink-3">
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" className="border-b border-line px-3 py-2 font-medium whitespace-nowrap">
                {toLabel(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // Rows have no identity of their own.
            // oxlint-disable-next-line react/no-array-index-key -- see above
            <tr key={at} className="border-b border-line last:border-0">
              {columns.map((column) => (
                <td key={column} className="max-w-md min-w-24 px-3 py-2 align-top tabular-nums wrap-anywhere">
                  {formatDataValue(row[column])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
