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

/** The planes of the scene that a brief asks for, back to front. */
export function buildScene(stage: Stage): Plane[] {
  const planes = SCENES[stage.brief.family](stage);
  return stage.cutout ? planes : [...planes, ...weatherPlanes(stage)];
}
