import { X } from 'lucide-react';
import { MODEL_NAMES, TASKS } from '#contract/catalog.ts';
import { startOfDay, type GenerationSearch } from './search.ts';

const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' });
const dayWords = (text: string) => day.format(startOfDay(text));

function timeWords({ from, to }: GenerationSearch): string | undefined {
  if (from && to) return from === to ? dayWords(from) : `${dayWords(from)} – ${dayWords(to)}`;
  if (from) return `Since ${dayWords(from)}`;
  return to ? `Until ${dayWords(to)}` : undefined;
}

export interface AppliedFiltersProps {
  search: GenerationSearch;
  onChange: (change: Partial<GenerationSearch>) => void;
}

/** What narrows the list from inside the filter menu, each with a way to lift it. */
export function AppliedFilters({ search, onChange }: AppliedFiltersProps) {
  const applied = [
    { label: search.task && TASKS[search.task].name, lift: { task: undefined } },
    { label: search.model && MODEL_NAMES[search.model], lift: { model: undefined } },
    { label: timeWords(search), lift: { from: undefined, to: undefined } },
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
