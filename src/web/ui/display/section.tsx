import { type ReactNode, useId } from 'react';

export function Section({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0">
      <div className="mb-2.5 flex min-h-7 items-center justify-between gap-3">
        <h3 id={id} className="text-sm font-semibold">
          {title}
        </h3>
        {aside}
      </div>
      {children}
    </section>
  );
}

interface DescriptionListProps {
  /** A row whose name can change needs an ID, or its links are replaced while they are clicked. */
  rows: readonly { id?: string; name: string; value: ReactNode }[];
}

export function DescriptionList({ rows }: DescriptionListProps) {
  return (
    <dl className="grid grid-cols-[fit-content(45%)_minmax(0,1fr)] gap-x-5 gap-y-2 text-sm">
      {rows.map(({ id, name, value }) => (
        <div key={id ?? name} className="contents">
          <dt className="min-w-24 text-ink-3">{name}</dt>
          <dd className="min-w-0 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
