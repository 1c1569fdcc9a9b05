import type { Family } from '../brief/lexicon.ts';
import type { Plane, SceneBuilder, Stage } from '../draw/stage.ts';
import { weatherPlanes } from '../draw/weather.ts';
import { botanical } from './botanical.ts';
import { city } from './city.ts';
import { cosmos } from './cosmos.ts';
import { landscape } from './landscape.ts';
import { portrait } from './portrait.ts';
import { poster } from './poster.ts';
import { ribbons } from './ribbons.ts';
import { sea } from './sea.ts';
import { spheres } from './spheres.ts';
import { stillLife } from './still-life.ts';
import { underwater } from './underwater.ts';

const SCENES = {
  landscape,
  sea,
  city,
  cosmos,
  underwater,
  botanical,
  spheres,
  still_life: stillLife,
  ribbons,
  poster,
  portrait,
} as const satisfies Record<Family, SceneBuilder>;

/** Scenes without a subject of their own; cut out they become a round badge. */
const FILLS_FRAME = {
  landscape: true,
  sea: true,
  city: true,
  cosmos: false,
  underwater: false,
  botanical: false,
  spheres: false,
  still_life: false,
  ribbons: false,
  poster: false,
  portrait: false,
} as const satisfies Record<Family, boolean>;

const badgePlane = ({ width, height }: Stage): Plane => ({
  depth: 0,
  blend: 'destination-in',
  paint(ctx) {
    ctx.beginPath();
    ctx.arc(width / 2, height / 2, Math.min(width, height) * 0.47, 0, Math.PI * 2);
    ctx.fill();
  },
});

export function buildScene(stage: Stage): Plane[] {
  const planes = SCENES[stage.brief.family](stage);
  if (!stage.cutout) return [...planes, ...weatherPlanes(stage)];
  return FILLS_FRAME[stage.brief.family] ? [...planes, badgePlane(stage)] : planes;
}
