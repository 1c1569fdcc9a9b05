import { css, lighten, mixColors, type Color } from '../color/color.ts';
import type { Random } from '../random.ts';
import { field, type Ctx, type Plane, type Stage } from '../draw/stage.ts';

type Tile = 'quarter' | 'circle' | 'half' | 'petal' | 'rings' | 'arch' | 'triangle' | 'stripes' | 'dots' | 'block';
type Cell = { x: number; y: number; size: number };

const TILES = [
  'quarter',
  'circle',
  'half',
  'petal',
  'rings',
  'arch',
  'triangle',
  'stripes',
  'dots',
  'block',
] as const satisfies readonly Tile[];

const turn = (ctx: Ctx, { x, y, size }: Cell, quarter: number): void => {
  ctx.translate(x + size / 2, y + size / 2);
  ctx.rotate((quarter * Math.PI) / 2);
  ctx.translate(-size / 2, -size / 2);
};

const shapes = {
  quarter: (ctx, size) => {
    ctx.moveTo(0, 0);
    ctx.arc(0, 0, size, 0, Math.PI / 2);
    ctx.closePath();
  },
  circle: (ctx, size) => ctx.arc(size / 2, size / 2, size * 0.4, 0, 7),
  half: (ctx, size) => ctx.arc(size / 2, 0, size / 2, 0, Math.PI),
  petal: (ctx, size) => {
    ctx.moveTo(0, 0);
    ctx.quadraticCurveTo(size, 0, size, size);
    ctx.quadraticCurveTo(0, size, 0, 0);
  },
  rings: (ctx, size) => {
    for (let ring = 4; ring > 0; ring--) {
      const outer = (size * ring) / 4;
      ctx.moveTo(outer, 0);
      ctx.arc(0, 0, outer, 0, Math.PI / 2);
      ctx.lineTo(0, outer - size / 8);
      ctx.arc(0, 0, outer - size / 8, Math.PI / 2, 0, true);
      ctx.closePath();
    }
  },
  arch: (ctx, size) => {
    ctx.moveTo(size * 0.12, size);
    ctx.lineTo(size * 0.12, size * 0.5);
    ctx.arc(size / 2, size * 0.5, size * 0.38, Math.PI, 0);
    ctx.lineTo(size * 0.88, size);
    ctx.closePath();
  },
  triangle: (ctx, size) => {
    ctx.moveTo(0, size);
    ctx.lineTo(size, 0);
    ctx.lineTo(size, size);
    ctx.closePath();
  },
  stripes: (ctx, size) => {
    for (let stripe = 0; stripe < 5; stripe++) ctx.rect(0, (stripe * size) / 5, size, size / 10);
  },
  dots: (ctx, size) => {
    for (let row = 0; row < 4; row++) {
      for (let column = 0; column < 4; column++) {
        const x = ((column + 0.5) * size) / 4;
        const y = ((row + 0.5) * size) / 4;
        ctx.moveTo(x + size * 0.06, y);
        ctx.arc(x, y, size * 0.06, 0, 7);
      }
    }
  },
  block: (ctx, size) => ctx.rect(0, 0, size, size),
} satisfies Record<Tile, (ctx: Ctx, size: number) => void>;

export function poster(stage: Stage): Plane[] {
  const random = stage.random.fork('poster');
  const { palette } = stage;
  const colors: [Color, ...Color[]] = [palette.accent, palette.accent_2, palette.mid, palette.near, palette.far];
  const area = field(stage);
  const ground: Plane = {
    depth: 0,
    paint(ctx) {
      ctx.fillStyle = css(palette.paper);
      ctx.fillRect(area.x, area.y, area.width, area.height);
    },
  };
  const forms = random.chance(0.45) ? gridPlanes(stage, colors, random) : balancePlanes(stage, colors, random);
  return stage.cutout ? forms : [ground, ...forms];
}

function fillForm(ctx: Ctx, color: Color, shade: Color, size: number, random: Random, path: () => void): void {
  ctx.beginPath();
  path();
  ctx.fillStyle = css(color);
  ctx.fill();
  ctx.save();
  ctx.beginPath();
  path();
  ctx.clip();
  const angle = random.range(0, Math.PI * 2);
  const specks = Math.min(2600, Math.round(size * size * 0.05));
  ctx.fillStyle = css(shade, 0.5);
  for (let speck = 0; speck < specks; speck++) {
    const depth = random.next() ** 2.6;
    const across = random.range(-0.8, 0.8);
    const x = size / 2 + Math.cos(angle) * (0.72 - depth) * size + Math.sin(angle) * across * size;
    const y = size / 2 + Math.sin(angle) * (0.72 - depth) * size - Math.cos(angle) * across * size;
    const speck_size = 0.6 + random.next() * 1.1;
    ctx.fillRect(x, y, speck_size, speck_size);
  }
  ctx.restore();
}

function gridPlanes(stage: Stage, colors: [Color, ...Color[]], random: Random): Plane[] {
  const { width, height, palette } = stage;
  const margin = Math.min(width, height) * 0.07;
  const columns = Math.max(2, Math.round(((width - 2 * margin) / Math.sqrt(width * height)) * random.int(3, 5)));
  const size = (width - 2 * margin) / columns;
  const rows = Math.max(1, Math.floor((height - 2 * margin) / size));
  const top = (height - rows * size) / 2;
  const cells: (Cell & { turns: number; tile: Tile; back: Color; front: Color; layer: number })[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const back = random.chance(0.45) ? palette.paper : random.pick(colors);
      const others = colors.filter(
        (color) => Math.abs(color.l - back.l) + Math.hypot(color.a - back.a, color.b - back.b) > 0.16,
      );
      cells.push({
        x: margin + column * size,
        y: top + row * size,
        size,
        turns: random.int(0, 3),
        tile: random.pick(TILES),
        back,
        front: others[random.int(0, Math.max(0, others.length - 1))] ?? palette.ink,
        layer: random.int(0, 2),
      });
    }
  }
  return [0, 1, 2].map((layer) => ({
    depth: 0.06 + 0.07 * layer,
    paint(ctx) {
      for (const cell of cells) {
        if (cell.layer !== layer) continue;
        ctx.save();
        turn(ctx, cell, cell.turns);
        const own = random.fork(`cell ${cell.x} ${cell.y}`);
        const print = (color: Color, path: () => void): void =>
          fillForm(ctx, color, mixColors(color, palette.ink, 0.42), size, own, path);
        if (cell.back !== palette.paper) print(cell.back, () => ctx.rect(0, 0, size + 0.4, size + 0.4));
        print(cell.front, () => shapes[cell.tile](ctx, size));
        ctx.restore();
      }
    },
  }));
}

function balancePlanes(stage: Stage, colors: [Color, ...Color[]], random: Random): Plane[] {
  const { width, height, palette } = stage;
  const short = Math.min(width, height);
  const planes: Plane[] = [];
  const place = (tile: Tile, x: number, y: number, size: number, color: Color, angle: number, depth: number): void => {
    const own = random.fork(`form ${planes.length}`);
    planes.push({
      depth,
      paint(ctx) {
        ctx.translate(x, y);
        ctx.rotate(angle);
        ctx.translate(-size / 2, -size / 2);
        fillForm(ctx, color, mixColors(color, palette.ink, 0.5), size, own, () => shapes[tile](ctx, size));
      },
    });
  };
  const lean = random.pick([0, Math.PI / 4, -Math.PI / 6, Math.PI / 2]);
  const at = { x: width * random.range(0.38, 0.62), y: height * random.range(0.36, 0.56) };
  place('circle', at.x, at.y, short * random.range(0.8, 1.05), palette.accent, 0, 0.15);
  place(
    'half',
    at.x + short * random.range(-0.2, 0.2),
    at.y + short * 0.22,
    short * random.range(0.62, 0.86),
    palette.near,
    lean,
    0.3,
  );
  place(
    'rings',
    at.x - short * random.range(0.2, 0.34),
    at.y + short * random.range(0.1, 0.34),
    short * 0.36,
    palette.accent_2,
    random.int(0, 3) * (Math.PI / 2),
    0.42,
  );
  for (let form = random.int(4, 6); form > 0; form--) {
    const tile = random.pick<Tile>(['quarter', 'triangle', 'arch', 'petal', 'dots', 'stripes', 'half', 'circle']);
    const color = random.chance(0.2) ? lighten(palette.paper, -0.08) : random.pick(colors);
    place(
      tile,
      width * random.range(0.14, 0.86),
      height * random.range(0.12, 0.88),
      short * random.range(0.12, 0.34),
      color,
      random.int(0, 7) * (Math.PI / 4),
      random.range(0.3, 0.8),
    );
  }
  planes.push(linesPlane(stage, random));
  return planes;
}

function linesPlane(stage: Stage, random: Random): Plane {
  const { width, height, palette } = stage;
  const lines = Array.from({ length: random.int(3, 6) }, () => ({
    x: random.range(0, width),
    y: random.range(0, height),
    angle: random.pick([0.7, -0.5, 1.2, 0]),
    length: random.range(0.3, 0.9) * Math.max(width, height),
    weight: random.pick([1.2, 1.2, 2.4, 7]),
  }));
  return {
    depth: 0.6,
    paint(ctx) {
      ctx.strokeStyle = css(palette.ink, 0.9);
      for (const line of lines) {
        ctx.lineWidth = line.weight;
        ctx.beginPath();
        ctx.moveTo(
          line.x - (Math.cos(line.angle) * line.length) / 2,
          line.y - (Math.sin(line.angle) * line.length) / 2,
        );
        ctx.lineTo(
          line.x + (Math.cos(line.angle) * line.length) / 2,
          line.y + (Math.sin(line.angle) * line.length) / 2,
        );
        ctx.stroke();
      }
    },
  };
}
