import { useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { GripVertical } from 'lucide-react';

const KEY_STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** Reorders tiles by dragging or with the arrow keys. */
export function SortHandle({
  at,
  count,
  name,
  onHover,
  onMove,
}: {
  at: number;
  count: number;
  name: string;
  /** Is called with the index that it is dragged over; null for none. */
  onHover: (to: number | null) => void;
  onMove: (to: number) => void;
}) {
  const target = useRef<number | null>(null);
  const is_dragging = useRef(false);
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    const to = at + (KEY_STEPS[event.key] ?? 0);
    if (to === at || to < 0 || to >= count) return;
    event.preventDefault();
    const list = event.currentTarget.closest('ul');
    onMove(to);
    requestAnimationFrame(() => list?.querySelector<HTMLElement>(`[data-tile="${to}"] [data-sort]`)?.focus());
  };
  const onPointerMove = (event: PointerEvent<HTMLButtonElement>) => {
    if (!is_dragging.current) return;
    const list = event.currentTarget.closest('ul');
    const tile = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('[data-tile]');
    const to = tile && tile.closest('ul') === list ? Number(tile.dataset['tile']) : null;
    target.current = to === at ? null : to;
    onHover(target.current);
  };
  const onDrop = () => {
    const to = target.current;
    is_dragging.current = false;
    target.current = null;
    onHover(null);
    if (to !== null) onMove(to);
  };
  return (
    <button
      type="button"
      data-sort=""
      aria-label={`${name}, ${at + 1} of ${count}. Arrow keys move it.`}
      data-tooltip="Drag to reorder"
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        is_dragging.current = true;
      }}
      onPointerMove={onPointerMove}
      onLostPointerCapture={onDrop}
      className="absolute top-1 left-1 flex h-7 touch-none items-center gap-0.5 rounded-md border border-line-strong bg-raised/90 pr-1.5 pl-0.5 text-xs font-medium text-ink-2 tabular-nums active:cursor-grabbing pointer-coarse:h-9"
    >
      <GripVertical aria-hidden="true" className="size-3.5 text-ink-3" />
      {at + 1}
    </button>
  );
}
