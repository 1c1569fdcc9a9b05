import { X } from 'lucide-react';
import { DateRangeSelect } from '#web/ui/date-range-select.tsx';
import { Select } from '#web/ui/select.tsx';
import { ENTRY_WORDS, isLedgerType, LEDGER_TYPES } from './entry-words.ts';
import type { LedgerSearch } from './ledger-search.ts';

export interface LedgerFilterBarProps {
  search: LedgerSearch;
  onChange: (change: Partial<LedgerSearch>) => void;
}

const ALL = 'all';

/** Which entries are shown. */
export function LedgerFilterBar({ search, onChange }: LedgerFilterBarProps) {
  const { type, from, to, generation } = search;
  return (
    <div className="mb-3 flex flex-wrap items-start gap-3">
      <h2 className="mr-auto self-center text-md font-semibold max-sm:w-full">Ledger</h2>
      {generation ? (
        <button
          type="button"
          aria-label="Remove the filter: one generation"
          onClick={() => onChange({ generation: undefined })}
          className="flex h-9 min-w-0 items-center gap-1.5 rounded-md bg-hover pr-2 pl-3 text-sm text-ink-2 transition-colors hover:text-ink pointer-coarse:h-11"
        >
          <span className="max-w-56 truncate">One generation · …{generation.slice(-6)}</span>
          <X aria-hidden="true" className="size-3.5 flex-none" />
        </button>
      ) : null}
      <Select
        aria-label="Kind of entry"
        className="w-40 max-sm:w-full"
        value={type ?? ALL}
        options={[
          { value: ALL, label: 'All entries' },
          ...LEDGER_TYPES.map((value) => ({ value, label: ENTRY_WORDS[value].label })),
        ]}
        onChange={(value) => onChange({ type: isLedgerType(value) ? value : undefined })}
      />
      <DateRangeSelect from={from} to={to} onChange={onChange} className="min-w-44 max-sm:w-full" />
    </div>
  );
}
