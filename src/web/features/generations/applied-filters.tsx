import { X } from 'lucide-react';
import { MODEL_NAMES, TASKS } from '#contract/catalog.ts';
import { dayRangeWords } from '#web/ui/day-words.ts';
import type { GenerationSearch } from './search.ts';

export interface AppliedFiltersProps {
  search: GenerationSearch;
  onChange: (change: Partial<GenerationSearch>) => void;
}

/** What narrows the list from inside the filter menu, each with a way to lift it. */
export function AppliedFilters({ search, onChange }: AppliedFiltersProps) {
  const applied = [
    { label: search.task && TASKS[search.task].name, lift: { task: undefined } },
    { label: search.model && MODEL_NAMES[search.model], lift: { model: undefined } },
    { label: dayRangeWords(search.from, search.to), lift: { from: undefined, to: undefined } },
  ].filter(({ label }) => label !== undefined);
  if (applied.length === 0) return null;
  return (
    <ul aria-label="Filters in use" className="flex flex-wrap gap-1.5">
      {applied.map(({ label, lift }) => (
        <li key={label}>
          <button
            type="button"
            aria-label={`Remove filter ${label}`}
            onClick={() => onChange(lift)}
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
