import { LayoutGrid, List } from 'lucide-react';
import type { GenerationSearch } from './generation-search.ts';
import { SegmentedControl } from '#web/ui/segmented-control.tsx';

const VIEWS = [
  { value: 'table', label: <List aria-hidden="true" className="size-4" />, name: 'Table' },
  { value: 'gallery', label: <LayoutGrid aria-hidden="true" className="size-4" />, name: 'Gallery' },
] as const;

export interface ViewSwitchProps {
  view: GenerationSearch['view'];
  onChange: (view: GenerationSearch['view']) => void;
}

/** How the list is shown: rows of facts, or pictures. */
export function ViewSwitch({ view, onChange }: ViewSwitchProps) {
  return (
    <SegmentedControl
      label="View"
      value={view ?? 'table'}
      options={VIEWS}
      onChange={(next) => onChange(next === 'gallery' ? next : undefined)}
    />
  );
}
