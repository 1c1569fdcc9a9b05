import { AudioLines, Clapperboard, Image } from 'lucide-react';
import { fieldDefault, type InputContract, type MediaKind } from '#contract/task.ts';
import { longestSeconds } from '#web/forms/values/format-input-limits.ts';
import { isRatioField, parseAspectRatio } from './compare-options.ts';
import { cx } from '#web/ui/cx.ts';

const ICONS = { image: Image, video: Clapperboard, audio: AudioLines };
const VIEW_BOX = 40;
const MAX_SIDE = 35;
const SQUARE_SIDE = 18;
const MAX_SHAPES = 5;

/** Keeps the narrowest and the widest ratio. */
function sampleRatios(ratios: readonly number[]): number[] {
  const sorted = ratios.toSorted((a, b) => a - b);
  if (sorted.length <= MAX_SHAPES) return sorted;
  const step = (sorted.length - 1) / (MAX_SHAPES - 1);
  return Array.from({ length: MAX_SHAPES }, (_, at) => sorted[Math.round(at * step)]).filter(
    (ratio) => ratio !== undefined,
  );
}

export interface ModelIconProps {
  contract: InputContract;
  media: MediaKind;
  /** Includes the size. */
  className: string;
}

/** Shows the aspect ratios of a model, the default in amber; below, a dash for each second of its longest clip. */
export function ModelIcon({ contract, media, className }: ModelIconProps) {
  const field = contract.fields.find(isRatioField);
  const options = field?.kind === 'choice' ? field.options : [];
  const ratios = sampleRatios([...new Set(options.flatMap((option) => parseAspectRatio(option) ?? []))]);
  const side = Math.min(SQUARE_SIDE, ...ratios.map((ratio) => MAX_SIDE / Math.sqrt(Math.max(ratio, 1 / ratio))));
  const defaultRatio = field && parseAspectRatio(fieldDefault(field));
  const seconds = longestSeconds(contract);
  const centerY = seconds === null ? VIEW_BOX / 2 : VIEW_BOX / 2 - 2.5;
  const Icon = ICONS[media];
  const renderShape = (ratio: number, className: string) => {
    const width = side * Math.sqrt(ratio);
    const height = side / Math.sqrt(ratio);
    return (
      <rect
        key={ratio}
        x={(VIEW_BOX - width) / 2}
        y={centerY - height / 2}
        width={width}
        height={height}
        rx={1}
        className={className}
      />
    );
  };
  return (
    <span
      aria-hidden="true"
      className={cx('flex flex-none items-center justify-center rounded-sm border border-line bg-sunken', className)}
    >
      {ratios.length === 0 ? (
        <Icon className="size-1/2 stroke-[1.5] text-ink-3" />
      ) : (
        <svg viewBox={`0 0 ${VIEW_BOX} ${VIEW_BOX}`} fill="none" strokeWidth={1} className="size-full">
          {ratios.filter((ratio) => ratio !== defaultRatio).map((ratio) => renderShape(ratio, 'stroke-edge'))}
          {defaultRatio ? renderShape(defaultRatio, 'fill-amber-soft stroke-amber-text') : null}
          {seconds === null ? null : (
            <path
              d={`M${(VIEW_BOX - seconds) / 2} 36.5h${seconds}`}
              strokeWidth={2}
              strokeDasharray="0.6 0.4"
              className="stroke-ink-3"
            />
          )}
        </svg>
      )}
    </span>
  );
}
