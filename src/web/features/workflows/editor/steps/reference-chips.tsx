import { X } from 'lucide-react';
import { serviceMediaSrc, useReferenceInfo } from '#web/api/reference-info.ts';
import { readReferences } from '#web/forms/values/form-values.ts';
import { referenceName } from '#web/media/format-media.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { readReference, type Reference } from '../step-references.ts';

export const chipClass =
  'inline-flex max-w-full items-center gap-1.5 rounded-sm bg-amber-soft px-1.5 align-baseline text-sm text-amber-text';

interface ReferenceChipsProps {
  label: string;
  /** Expressions, and files beside them. */
  items: readonly unknown[];
  references: readonly Reference[];
  onRemove: (at: number) => void;
}

/** What fills a setting, under the names of inputs and steps. */
export function ReferenceChips({ label, items, references, onRemove }: ReferenceChipsProps) {
  return (
    <ul aria-label={label} className="flex min-h-9 flex-wrap items-center gap-2">
      {items.map((item, at) => (
        // Items have no identity of their own.
        // oxlint-disable-next-line react/no-array-index-key -- see above
        <li key={at} className={`${chipClass} h-8 pr-0.5 pointer-coarse:h-11`}>
          <ItemName item={item} references={references} />
          <IconButton
            size="sm"
            label={`Remove ${label.toLowerCase()} ${at + 1}`}
            icon={<X aria-hidden="true" className="size-3.5" />}
            onClick={() => onRemove(at)}
          />
        </li>
      ))}
    </ul>
  );
}

function ItemName({ item, references }: { item: unknown; references: readonly Reference[] }) {
  const [file] = readReferences(item);
  const info = useReferenceInfo(file?.url ?? '');
  const label = file
    ? referenceName(file.url, info, serviceMediaSrc(file.url) !== null)
    : (readReference(item, references)?.label ?? 'Expression');
  return (
    <span className="min-w-0 truncate" title={label === 'Expression' ? String(item) : undefined}>
      {label}
    </span>
  );
}
