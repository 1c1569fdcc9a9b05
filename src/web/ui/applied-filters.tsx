import { X } from 'lucide-react';

export interface AppliedFilter {
  /** What it leaves over; undefined where it is not set. */
  label: string | undefined;
  onRemove: () => void;
}

/** What narrows a list from inside a filter menu, each with a way to lift it. */
export function AppliedFilters({ filters }: { filters: readonly AppliedFilter[] }) {
  const applied = filters.filter(({ label }) => label !== undefined);
  if (applied.length === 0) return null;
  return (
    <ul aria-label="Filters in use" className="flex flex-wrap gap-1.5">
      {applied.map(({ label, onRemove }) => (
        <li key={label}>
          <button
            type="button"
            aria-label={`Remove filter ${label}`}
            onClick={onRemove}
            className="flex h-7 items-center gap-1.5 rounded-sm bg-hover pr-1.5 pl-2.5 text-sm text-ink-2 transition-colors hover:text-ink pointer-coarse:h-9"
          >
            {label}
            <X aria-hidden="true" className="size-3.5" />
          </button>
        </li>
      ))}
    </ul>
  );
}
