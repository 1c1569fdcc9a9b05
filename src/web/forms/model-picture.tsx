import { AudioLines, Clapperboard, Image } from 'lucide-react';
import { fieldDefault, type InputContract, type MediaKind } from '#contract/task.ts';
import { longestSeconds } from './format-input-limits.ts';
import { isRatioField, parseAspectRatio } from './compare-options.ts';
import { cx } from '#web/ui/cx.ts';

const ICONS = { image: Image, video: Clapperboard, audio: AudioLines };
/** Side of the drawing, the longest side of a shape in it, and the side of a square where all shapes fit. */
const BOX = 40;
const LONGEST = 35;
const SIDE = 18;
/** More shapes than this are hard to tell apart in a small drawing. */
const MOST_SHAPES = 5;

/** At most `MOST_SHAPES` of the ratios, the narrowest and the widest among them. */
function sample(ratios: readonly number[]): number[] {
  const sorted = ratios.toSorted((a, b) => a - b);
  if (sorted.length <= MOST_SHAPES) return sorted;
  const step = (sorted.length - 1) / (MOST_SHAPES - 1);
  return Array.from({ length: MOST_SHAPES }, (_, at) => sorted[Math.round(at * step)]).filter(
    (ratio) => ratio !== undefined,
  );
}

export interface ModelPictureProps {
  contract: InputContract;
  media: MediaKind;
  /** With its size. */
  className: string;
}

/** Shapes that a model makes, each of the same area, its default in amber; for clips, a dash for each second of the longest. */
export function ModelPicture({ contract, media, className }: ModelPictureProps) {
  const field = contract.fields.find(isRatioField);
  const options = field?.kind === 'choice' ? field.options : [];
  const ratios = sample([...new Set(options.flatMap((option) => parseAspectRatio(option) ?? []))]);
  const side = Math.min(SIDE, ...ratios.map((ratio) => LONGEST / Math.sqrt(Math.max(ratio, 1 / ratio))));
  const usual = field && parseAspectRatio(fieldDefault(field));
  const seconds = longestSeconds(contract);
  const center_y = seconds === null ? BOX / 2 : BOX / 2 - 2.5;
  const Icon = ICONS[media];
  const shape = (ratio: number, look: string) => {
    const width = side * Math.sqrt(ratio);
    const height = side / Math.sqrt(ratio);
    return (
      <rect
        key={ratio}
        x={(BOX - width) / 2}
        y={center_y - height / 2}
        width={width}
        height={height}
        rx={1}
        className={look}
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
        <svg viewBox={`0 0 ${BOX} ${BOX}`} fill="none" strokeWidth={1} className="size-full">
          {ratios.filter((ratio) => ratio !== usual).map((ratio) => shape(ratio, 'stroke-edge'))}
          {usual ? shape(usual, 'fill-amber-soft stroke-amber-text') : null}
          {seconds === null ? null : (
            <path
              d={`M${(BOX - seconds) / 2} 36.5h${seconds}`}
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
