import { X } from 'lucide-react';

/** A filter that no list offers: one generation, one run, one entry. Pressing it removes it. */
export function FilterChip({ name, value, onRemove }: { name: string; value: string; onRemove: () => void }) {
  return (
    <button
      type="button"
      aria-label={`Remove the filter: ${name.toLowerCase()}`}
      onClick={onRemove}
      className="flex h-9 min-w-0 items-center gap-1.5 rounded-md bg-hover pr-2 pl-3 text-sm text-ink-2 transition-colors hover:text-ink pointer-coarse:h-11"
    >
      <span className="max-w-56 truncate">
        {name} · {value}
      </span>
      <X aria-hidden="true" className="size-3.5 flex-none" />
    </button>
  );
}
