import { ListFilter, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#web/ui/controls/button.tsx';
import { Popover } from './popover.tsx';

interface FilterMenuProps {
  /** Values of the filters inside; the button shows how many are set. */
  values: readonly unknown[];
  children: ReactNode;
}

export function FilterMenu({ values, children }: FilterMenuProps) {
  const count = values.filter(Boolean).length;
  return (
    <Popover
      aria-label="Filters"
      align="end"
      className="w-72 p-4"
      renderTrigger={(props) => (
        <Button {...props} icon={<ListFilter aria-hidden="true" className="size-4" />}>
          Filters{count > 0 ? ` · ${count}` : ''}
        </Button>
      )}
    >
      <div className="flex flex-col gap-4">{children}</div>
    </Popover>
  );
}

export interface AppliedFilter {
  label: string | undefined;
  onRemove: () => void;
}

export function AppliedFilters({ filters }: { filters: readonly AppliedFilter[] }) {
  const applied = filters.filter(({ label }) => label !== undefined);
  if (applied.length === 0) return null;
  return (
    <ul aria-label="Filters in use" className="flex flex-wrap gap-1.5">
      {applied.map((filter) => (
        <FilterChip key={filter.label} {...filter} />
      ))}
    </ul>
  );
}

/** In a list of chips. Renders nothing without a label. */
export function FilterChip({ label, onRemove }: AppliedFilter) {
  if (label === undefined) return null;
  return (
    <li>
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
  );
}
