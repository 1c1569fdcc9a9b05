import type { Subject } from '../brief/lexicon.ts';
import { lighten, mixColors } from '../color/color.ts';
import { CREATURES } from './creatures.ts';
import { LANDMARKS } from './landmarks.ts';
import type { Sun } from './sky.ts';
import type { Plane, Stage } from './stage.ts';
import type { Medium, SubjectForm, SubjectLook } from './subject.ts';
import { VESSELS } from './vessels.ts';

const FORMS = { ...CREATURES, ...VESSELS, ...LANDMARKS } as const satisfies Record<Subject, SubjectForm>;

/** Where a scene has room for subjects: the depth, and the height of the ground at x. */
export type Places = Partial<Record<Medium, { depth: number; at(x: number): number }>>;

const SPOTS = [0.36, 0.66, 0.52];

export function subjectPlanes(stage: Stage, sun: Sun, places: Places): Plane[] {
  const { palette, brief, width, height } = stage;
  const short = Math.min(width, height);
  const look: SubjectLook = {
    dark: mixColors(palette.near, palette.ink, 0.5),
    light: mixColors(palette.light, lighten(palette.sky[2], 0.05), 0.25),
    accent: palette.accent,
    accent_2: palette.accent_2,
    ink: palette.ink,
    night: palette.night,
    light_from_left: sun.x < width / 2,
  };
  return brief.subjects.slice(0, 3).flatMap((name, index) => {
    const form: SubjectForm = FORMS[name];
    const place = places[form.medium];
    if (!place) return [];
    const random = stage.random.fork(`subject ${name}`);
    const tall = form.height * short * (1 - index * 0.12);
    const x = width * ((SPOTS[index] ?? 0.5) + random.range(-0.07, 0.07));
    const lift = form.medium === 'sky' ? tall : 0;
    return [
      {
        depth: place.depth,
        live: true,
        paint(ctx, time_s) {
          ctx.translate(x, place.at(x) + lift + (form.medium === 'ground' || form.medium === 'site' ? tall * 0.02 : 0));
          ctx.scale((tall / 100) * (random.fork('flip').chance(0.5) ? 1 : -1), tall / 100);
          form.paint(ctx, look, random.fork('paint'), time_s);
        },
      } satisfies Plane,
    ];
  });
}
