import type { Affine, Look } from '../edit/look.ts';
import type { PixelSize } from '../sizes.ts';

/** ffmpeg's mixer takes factors of -2 to 2. */
const factor = (value: number): string => Math.min(2, Math.max(-2, value)).toFixed(4);

function colorFilters(color: Affine): string[] {
  const [red, green, blue] = color;
  const mixer = [red, green, blue]
    .flatMap((row, index) =>
      ['r', 'g', 'b'].map((from, column) => `${'rgb'[index]}${from}=${factor(row[column] ?? 0)}`),
    )
    .join(':');
  const lift = [red, green, blue].map((row) => (row[3] * 255).toFixed(2));
  const moved = lift.some((offset) => Number(offset) !== 0);
  if (mixer === IDENTITY_MIXER && !moved) return [];
  return [
    'format=gbrp',
    ...(mixer === IDENTITY_MIXER ? [] : [`colorchannelmixer=${mixer}`]),
    ...(moved
      ? [`lutrgb=r='clip(val+${lift[0]},0,255)':g='clip(val+${lift[1]},0,255)':b='clip(val+${lift[2]},0,255)'`]
      : []),
  ];
}

const IDENTITY_MIXER = ['r', 'g', 'b']
  .flatMap((to) => ['r', 'g', 'b'].map((from) => `${to}${from}=${factor(to === from ? 1 : 0)}`))
  .join(':');

/** Graph from `[in]` to `[out]`, without quarter turns: a clip keeps its aspect ratio. @param mask white: background */
export function lookGraph(look: Look, size: PixelSize, mask: string): string {
  const short = Math.min(size.width_px, size.height_px);
  const upside_down = look.upside_down || look.quarters === 2;
  const mirror = look.mirror !== (look.quarters === 2);
  const chain = [
    ...(mirror ? ['hflip'] : []),
    ...(upside_down !== look.upside_down || look.upside_down ? ['vflip'] : []),
    ...colorFilters(look.color),
    ...(look.sharpen > 0 ? [`unsharp=5:5:${(look.sharpen * 1.2).toFixed(2)}`] : []),
    ...(look.blur > 0 ? blur(look.blur * short, size) : []),
    ...(look.mosaic > 0 ? mosaic(look.mosaic * short, size) : []),
  ];
  const finish = [
    ...(look.vignette > 0 ? [`vignette=angle=${(look.vignette * 0.9).toFixed(3)}`] : []),
    ...(look.grain > 0 ? [`noise=alls=${Math.round(look.grain * 24)}:allf=t`] : []),
    'format=yuv420p',
  ].join(',');
  const plain = chain.length === 0 ? 'null' : chain.join(',');
  if (look.background_blur === 0) return `[in]${plain},${finish}[out]`;
  return [
    `[in]${plain},format=gbrp,split[clear][soft]`,
    `[soft]${blur(look.background_blur * short, size).join(',')}[blurred]`,
    `${mask}format=gbrp[mask]`,
    `[clear][blurred][mask]maskedmerge,${finish}[out]`,
  ].join(';');
}

/** A wide blur is applied at a small size and enlarged: it looks the same and is many times faster. */
function blur(sigma_px: number, { width_px, height_px }: PixelSize): string[] {
  const shrink = Math.max(1, Math.floor(sigma_px / 2));
  if (shrink === 1) return [`gblur=sigma=${sigma_px.toFixed(2)}`];
  const small = `scale=${Math.ceil(width_px / shrink)}:${Math.ceil(height_px / shrink)}:flags=area`;
  return [small, `gblur=sigma=${(sigma_px / shrink).toFixed(2)}`, `scale=${width_px}:${height_px}:flags=bicubic`];
}

function mosaic(tile_px: number, { width_px, height_px }: PixelSize): string[] {
  const columns = Math.max(2, Math.round(width_px / tile_px));
  const rows = Math.max(2, Math.round(height_px / tile_px));
  return [`scale=${columns}:${rows}:flags=area`, `scale=${width_px}:${height_px}:flags=neighbor`];
}
