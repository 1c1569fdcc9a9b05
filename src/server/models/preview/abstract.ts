import {
  alpha,
  blend,
  type Context,
  fillAll,
  type Layer,
  type LayeredPicture,
  linear,
  radial,
  type Stage,
} from './canvas.ts';
import type { Random } from './random.ts';
import { setText } from './text.ts';
import type { Palette, Theme } from './theme.ts';

export function abstract({ palette }: Theme, random: Random): LayeredPicture {
  const ribbons = [palette.mid, palette.accent, palette.light].map((color, index) => ({
    color,
    y: 0.32 + 0.2 * index + random.range(-0.06, 0.06),
    size: random.range(0.14, 0.26),
    twist: random.range(0.6, 1.5) * (random.chance(0.5) ? 1 : -1),
    phases: [random.range(0, 7), random.range(0, 7)] as const,
  }));
  const draw =
    ([...some]: typeof ribbons): Layer =>
    (context, stage) => {
      for (const ribbon of some) drawRibbon(context, stage, ribbon, palette);
    };
  return { ground: softGround(palette, random), layers: [draw(ribbons.slice(0, 1)), draw(ribbons.slice(1))] };
}

function softGround(palette: Palette, random: Random): Layer {
  const lights = [palette.mid, palette.accent].map((color) => ({ color, x: random.next(), y: random.next() }));
  return (context, stage) => {
    const { width, height } = stage;
    fillAll(context, stage, linear(context, [0, 0, width, height], { 0: palette.deep, 1: palette.dark }));
    for (const { color, x, y } of lights)
      fillAll(
        context,
        stage,
        radial(context, x * width, y * height, Math.max(width, height) * 0.7, {
          0: alpha(color, 0.55),
          1: alpha(color, 0),
        }),
      );
  };
}

/** A band of silk: many fine curves between two edges that cross. */
function drawRibbon(
  context: Context,
  { width, height, unit }: Stage,
  ribbon: { color: string; y: number; size: number; twist: number; phases: readonly [number, number] },
  palette: Palette,
): void {
  const threads = 150;
  const [slow, fast] = ribbon.phases;
  for (let thread = 0; thread < threads; thread++) {
    const across = thread / (threads - 1) - 0.5;
    const shine = Math.sin(across * Math.PI * 3 + slow) * 0.5 + 0.5;
    const color = blend(blend(palette.deep, ribbon.color, 0.35 + 0.65 * shine), palette.glow, shine ** 4 * 0.7);
    context.strokeStyle = alpha(color, 0.8);
    context.lineWidth = (ribbon.size * height) / threads + 3.2 * unit;
    context.beginPath();
    for (let step = 0; step <= 48; step++) {
      const x = step / 48;
      const fold = Math.cos(x * ribbon.twist * Math.PI * 1.6 + slow);
      const y =
        ribbon.y + 0.13 * Math.sin(x * 4.4 + slow) + 0.05 * Math.sin(x * 9 + fast) + across * ribbon.size * fold;
      if (step === 0) context.moveTo(-0.03 * width, y * height);
      else context.lineTo((x * 1.06 - 0.03) * width, y * height);
    }
    context.stroke();
  }
}

/** No word of the prompt asks for a picture, so the prompt itself is set. */
export function typography({ palette, prompt }: Theme, random: Random): LayeredPicture {
  const card: Layer = (context, stage) => {
    const { width, height, unit } = stage;
    const margin = Math.min(width, height) * 0.08;
    context.fillStyle = alpha(palette.deep, 0.72);
    context.beginPath();
    context.roundRect(margin, margin, width - 2 * margin, height - 2 * margin, 22 * unit);
    context.fill();
    context.fillStyle = palette.accent;
    const inset = margin * 1.9;
    context.fillRect(inset, inset, 64 * unit, 7 * unit);
    context.fillStyle = blend(palette.glow, '#ffffff', 0.35);
    const box = { x: inset, y: inset + 34 * unit, width: width - 2 * inset, height: height - 2 * inset - 96 * unit };
    setText(context, prompt, box, stage);
  };
  return { ground: softGround(palette, random), layers: [card] };
}
