import { useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { GripVertical } from 'lucide-react';

const KEY_STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** Moves a tile among its neighbours: dragged by mouse or finger, or with the arrow keys. */
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
  /** Over which place it is being dragged; null: over none any more. */
  onHover: (to: number | null) => void;
  onMove: (to: number) => void;
}) {
  const over = useRef<number | null>(null);
  const dragging = useRef(false);
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    const to = at + (KEY_STEPS[event.key] ?? 0);
    if (to === at || to < 0 || to >= count) return;
    event.preventDefault();
    const list = event.currentTarget.closest('ul');
    onMove(to);
    requestAnimationFrame(() => list?.querySelector<HTMLElement>(`[data-tile="${to}"] [data-sort]`)?.focus());
  };
  const onPointerMove = (event: PointerEvent<HTMLButtonElement>) => {
    if (!dragging.current) return;
    const list = event.currentTarget.closest('ul');
    const tile = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('[data-tile]');
    const to = tile && tile.closest('ul') === list ? Number(tile.dataset['tile']) : null;
    over.current = to === at ? null : to;
    onHover(over.current);
  };
  const onDrop = () => {
    const to = over.current;
    dragging.current = false;
    over.current = null;
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
        dragging.current = true;
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
