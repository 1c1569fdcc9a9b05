import { lighten, mixColors, toRgb, type Color } from '../color/color.ts';
import type { Random } from '../random.ts';
import { smoothstep } from './noise.ts';
import { shade } from './shade.ts';
import { field, type Plane, type Stage } from './stage.ts';

/** Brightness at a point of the frame, 0 to 1. */
export type WindowLight = (x: number, y: number) => number;

export function createWindowLight(stage: Stage, random: Random): WindowLight {
  const { width, height } = stage;
  const short = Math.min(width, height);
  const center = { x: width * random.range(0.35, 0.65), y: height * random.range(0.26, 0.42) };
  const slant = random.range(0.25, 0.6) * (random.chance(0.5) ? 1 : -1);
  const size = { x: short * random.range(0.3, 0.46), y: short * random.range(0.4, 0.6) };
  const blur = 0.06;
  const kind = random.pick(['bars', 'bars', 'arch', 'pool'] as const);
  const bar = (value: number, count: number): number => {
    const cell = Math.abs(((value + 1) / 2) * count - Math.round(((value + 1) / 2) * count)) / count;
    const inside = Math.round(((value + 1) / 2) * count) % count !== 0 || count === 1;
    return inside ? smoothstep(0.008, 0.008 + blur * 0.7, cell) : 1;
  };
  return (x, y) => {
    const v = (y - center.y) / size.y;
    const u = (x - center.x - (y - center.y) * slant) / size.x;
    if (kind === 'pool') return Math.exp(-(u * u + v * v) * 0.9);
    const edge_u = 1 - smoothstep(1 - blur, 1 + blur * 1.6, Math.abs(u));
    if (kind === 'arch') {
      const top = v < -0.2 ? Math.hypot(u, (v + 0.2) * 1.25) : Math.abs(u);
      return (1 - smoothstep(1 - blur, 1 + blur * 1.6, top)) * (1 - smoothstep(1 - blur, 1 + blur * 2, v));
    }
    return edge_u * (1 - smoothstep(1 - blur, 1 + blur * 1.6, Math.abs(v))) * bar(u, 2) * bar(v, 3);
  };
}

export interface Room {
  table: number;
  wall_color: Color;
  table_color: Color;
  light: WindowLight;
}

export function roomPlane(stage: Stage, room: Room): Plane {
  const { palette } = stage;
  const area = field(stage);
  const dark = palette.paper.l < 0.45;
  const bright = toRgb(mixColors(lighten(room.wall_color, dark ? 0.12 : 0.06), palette.light, 0.45));
  const wall = toRgb(room.wall_color);
  const shadow = toRgb(mixColors(lighten(room.wall_color, -0.1), palette.ink, 0.12));
  const table = toRgb(room.table_color);
  const table_lit = toRgb(mixColors(lighten(room.table_color, 0.05), palette.light, 0.3));
  const table_dark = toRgb(mixColors(lighten(room.table_color, -0.1), palette.ink, 0.15));
  const columns = 300;
  return {
    depth: 0.1,
    paint(ctx) {
      const rows = Math.round((columns * area.height) / area.width);
      const sheet = shade(columns, rows, (u, v, out) => {
        const x = area.x + u * area.width;
        const y = area.y + v * area.height;
        const on_table = smoothstep(room.table - 5, room.table + 5, y);
        const falloff = smoothstep(
          0,
          1.1,
          Math.hypot((x - stage.width * 0.4) / stage.width, (y - room.table * 0.6) / stage.height),
        );
        const sun = room.light(x, y) * (1 - on_table);
        const near = smoothstep(room.table, stage.height * 1.1, y);
        const pool = Math.exp(-(((x - stage.width * 0.5) / (stage.width * 0.5)) ** 2)) * (1 - near * 0.5);
        for (let channel: 0 | 1 | 2 = 0; channel < 3; channel++) {
          let back = wall[channel] ?? 0;
          back += ((shadow[channel] ?? 0) - back) * falloff;
          back += ((bright[channel] ?? 0) - back) * sun;
          let top = table[channel] ?? 0;
          top += ((table_lit[channel] ?? 0) - top) * pool * 0.7;
          top += ((table_dark[channel] ?? 0) - top) * near * 0.75;
          out[channel] = back + (top - back) * on_table;
        }
        out[3] = 1;
      });
      ctx.imageSmoothingQuality = 'high';
      ctx.drawImage(sheet, area.x, area.y, area.width, area.height);
    },
  };
}
