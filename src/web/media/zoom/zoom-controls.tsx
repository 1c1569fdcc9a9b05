import { Maximize, Minus, Plus } from 'lucide-react';
import { type Command, viewCommand } from '#web/ui/hooks/commands.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import type { ZoomControl } from './use-zoom.ts';

export function ZoomButtons({ control }: { control: ZoomControl }) {
  const { zoom, frame, share, step, fit, toggle } = control;
  return (
    <div className="flex items-center gap-0.5 rounded-md border border-line bg-raised p-0.5">
      <IconButton
        label="Zoom out (−)"
        size="sm"
        disabled={zoom.scale <= 1}
        icon={<Minus aria-hidden="true" className="size-4" />}
        onClick={() => step(-1)}
      />
      <button
        type="button"
        data-tooltip="Actual size or fit (1)"
        onClick={toggle}
        className="h-7 min-w-13 rounded-sm text-sm text-ink-2 tabular-nums hover:bg-hover pointer-coarse:h-9"
      >
        {share === null ? 'Fit' : `${Math.round(share * 100)}%`}
      </button>
      <IconButton
        label="Zoom in (+)"
        size="sm"
        disabled={zoom.scale >= frame.maxScale}
        icon={<Plus aria-hidden="true" className="size-4" />}
        onClick={() => step(1)}
      />
      <IconButton
        label="Fit to window (0)"
        size="sm"
        disabled={zoom.scale === 1}
        icon={<Maximize aria-hidden="true" className="size-4" />}
        onClick={fit}
      />
    </div>
  );
}

export function zoomCommands(group: string, { step, fit, toggle, nudge }: ZoomControl): Command[] {
  const command = viewCommand(group);
  return [
    command('+', 'Zoom in', () => step(1)),
    command('=', 'Zoom in (without Shift)', () => step(1)),
    command('-', 'Zoom out', () => step(-1)),
    command('0', 'Fit to window', fit),
    command('1', 'Actual size or fit', toggle),
    command('shift+arrowleft', 'Pan left', () => nudge(1, 0)),
    command('shift+arrowright', 'Pan right', () => nudge(-1, 0)),
    command('shift+arrowup', 'Pan up', () => nudge(0, 1)),
    command('shift+arrowdown', 'Pan down', () => nudge(0, -1)),
  ];
}
