import { css, lighten, type Color } from '../color/color.ts';
import type { Random } from '../random.ts';
import type { Ctx } from './stage.ts';

export function pine(ctx: Ctx, x: number, y: number, height: number, random: Random): void {
  const tiers = Math.max(5, Math.round(height / 9));
  const spread = height * random.range(0.17, 0.24);
  const lean = random.range(-0.02, 0.02) * height;
  ctx.moveTo(x + lean, y - height);
  const needles = (side: 1 | -1): [number, number][] => {
    const points: [number, number][] = [];
    for (let tier = 1; tier <= tiers; tier++) {
      const t = tier / tiers;
      const reach = spread * t ** 0.85 * random.range(0.75, 1.12);
      const level = y - height * (1 - t * 0.93);
      points.push([x + lean * (1 - t) + side * reach, level + height * 0.018]);
      if (tier < tiers) points.push([x + lean * (1 - t) + side * reach * 0.42, level - height * 0.012]);
    }
    return points;
  };
  for (const [px, py] of needles(1)) ctx.lineTo(px, py);
  for (const [px, py] of [
    [0.018, 0.06],
    [0.018, -0.02],
    [-0.018, -0.02],
    [-0.018, 0.06],
  ] as const) {
    ctx.lineTo(x + height * px, y - height * py);
  }
  for (const [px, py] of needles(-1).toReversed()) ctx.lineTo(px, py);
  ctx.closePath();
}

export function broadleaf(
  ctx: Ctx,
  x: number,
  y: number,
  height: number,
  colors: { trunk: Color; leaf: Color; light: Color },
  random: Random,
  light_x: number,
): void {
  ctx.strokeStyle = css(colors.trunk);
  ctx.lineCap = 'round';
  const bough = (px: number, py: number, angle: number, length: number, width: number, depth: number): void => {
    const ex = px + Math.cos(angle) * length;
    const ey = py + Math.sin(angle) * length;
    ctx.lineWidth = width;
    ctx.beginPath();
    ctx.moveTo(px, py);
    ctx.quadraticCurveTo(px + Math.cos(angle + 0.2) * length * 0.5, py + Math.sin(angle + 0.1) * length * 0.5, ex, ey);
    ctx.stroke();
    if (depth === 0) return;
    for (const turn of [random.range(-0.75, -0.3), random.range(0.3, 0.75)]) {
      bough(ex, ey, angle + turn, length * random.range(0.62, 0.8), width * 0.62, depth - 1);
    }
  };
  bough(x, y + 3, -Math.PI / 2 + random.range(-0.08, 0.08), height * 0.32, height * 0.045, 4);
  const clumps = Array.from({ length: 70 }, () => {
    const angle = random.range(0, Math.PI * 2);
    const reach = Math.sqrt(random.next());
    return {
      x: x + Math.cos(angle) * reach * height * 0.4,
      y: y - height * 0.66 + Math.sin(angle) * reach * height * 0.28,
    };
  }).sort((a, b) => b.y - a.y);
  for (const clump of clumps) {
    const lit = ((clump.x - x) * Math.sign(light_x - x)) / height + (y - height * 0.66 - clump.y) / height;
    ctx.fillStyle = css(
      lighten(lit > 0.05 ? mixLeaf(colors.leaf, colors.light, lit) : colors.leaf, random.range(-0.03, 0.03)),
      0.9,
    );
    ctx.beginPath();
    for (let leaf = 0; leaf < 9; leaf++) {
      const radius = height * random.range(0.018, 0.045);
      const lx = clump.x + random.range(-1, 1) * height * 0.07;
      const ly = clump.y + random.range(-1, 1) * height * 0.05;
      ctx.moveTo(lx + radius, ly);
      ctx.arc(lx, ly, radius, 0, 7);
    }
    ctx.fill();
  }
}

const mixLeaf = (leaf: Color, light: Color, amount: number): Color => ({
  l: leaf.l + (light.l - leaf.l) * Math.min(0.35, amount * 0.6),
  a: leaf.a + (light.a - leaf.a) * Math.min(0.3, amount * 0.5),
  b: leaf.b + (light.b - leaf.b) * Math.min(0.3, amount * 0.5),
});
