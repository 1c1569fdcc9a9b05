import type { ReactNode } from 'react';

export function SettingsRows({ rows }: { rows: readonly { name: string; value: ReactNode }[] }) {
  return (
    <dl className="grid gap-x-6 gap-y-2.5 sm:grid-cols-[8rem_minmax(0,1fr)]">
      {rows.map(({ name, value }) => (
        <div key={name} className="sm:contents">
          <dt className="text-sm leading-7 text-ink-3">{name}</dt>
          <dd className="min-w-0 leading-7 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
