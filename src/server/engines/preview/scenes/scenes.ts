import type { Family } from '../brief/lexicon.ts';
import type { Plane, SceneBuilder, Stage } from '../draw/stage.ts';
import { city } from './city.ts';
import { cosmos } from './cosmos.ts';
import { poster } from './poster.ts';
import { ribbons } from './ribbons.ts';
import { spheres } from './spheres.ts';
import { stillLife } from './still-life.ts';
import { botanical } from './botanical.ts';
import { underwater } from './underwater.ts';
import { landscape } from './landscape.ts';
import { sea } from './sea.ts';

const SCENES: Partial<Record<Family, SceneBuilder>> = {
  landscape,
  city,
  sea,
  cosmos,
  poster,
  botanical,
  underwater,
  ribbons,
  spheres,
  still_life: stillLife,
};

export function buildScene(stage: Stage): Plane[] {
  const build = SCENES[stage.brief.family] ?? landscape;
  return build(stage);
}
