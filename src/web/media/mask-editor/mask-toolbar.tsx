import { BrushCleaning, Contrast, type LucideIcon, Redo2, Undo2 } from 'lucide-react';
import { ZoomButtons } from '#web/media/zoom/zoom-controls.tsx';
import type { ZoomControl } from '#web/media/zoom/use-zoom.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { Slider } from '#web/ui/controls/slider.tsx';
import { BRUSH_PX, MASK_TOOLS, type MaskTool } from './mask-tools.ts';

export interface MaskAction {
  label: string;
  keys?: string;
  icon: LucideIcon;
  disabled: boolean;
  run: () => void;
}

interface MaskToolbarProps {
  tool: MaskTool;
  onTool: (tool: MaskTool) => void;
  brushPx: number;
  onBrush: (sizePx: number) => void;
  actions: readonly MaskAction[];
  control: ZoomControl;
}

export function MaskToolbar({ tool, onTool, brushPx, onBrush, actions, control }: MaskToolbarProps) {
  return (
    <div
      role="toolbar"
      aria-label="Mask tools"
      className="flex flex-none flex-wrap items-center justify-center gap-x-4 gap-y-1 border-t border-line bg-canvas px-2 pt-1.5 pb-[max(0.375rem,env(safe-area-inset-bottom))]"
    >
      <div className="flex">
        {(Object.keys(MASK_TOOLS) as MaskTool[]).map((each) => {
          const { label, key, icon: Icon } = MASK_TOOLS[each];
          return (
            <IconButton
              key={each}
              label={`${label} (${key.toUpperCase()})`}
              pressed={each === tool}
              icon={<Icon aria-hidden="true" className="size-4.5" />}
              onClick={() => onTool(each)}
            />
          );
        })}
        {actions.map(({ label, icon: Icon, disabled, run }) => (
          <IconButton
            key={label}
            label={label}
            aria-disabled={disabled}
            icon={<Icon aria-hidden="true" className="size-4.5" />}
            onClick={run}
          />
        ))}
      </div>
      <span className="flex w-44 items-center gap-2 text-sm text-ink-2 max-md:flex-1">
        <span aria-hidden="true">Size</span>
        <Slider
          label="Brush size"
          valueText={`${brushPx} pixels`}
          value={brushPx}
          min={BRUSH_PX.min}
          max={BRUSH_PX.max}
          onChange={onBrush}
        />
      </span>
      <ZoomButtons control={control} />
    </div>
  );
}

export const ACTION_ICONS = { invert: Contrast, clear: BrushCleaning, undo: Undo2, redo: Redo2 };
