import type { Subject } from '../brief/lexicon.ts';
import type { Color } from '../color/color.ts';
import type { Random } from '../random.ts';
import type { Ctx } from './stage.ts';

export interface SubjectLook {
  dark: Color;
  light: Color;
  accent: Color;
  accent_2: Color;
  ink: Color;
  night: boolean;
  light_from_left: boolean;
}

/** `ground` for creatures that walk, `site` for buildings and plants. */
export type Medium = 'ground' | 'site' | 'water' | 'sky';

export interface SubjectForm {
  medium: Medium;
  /** As a share of the frame's shorter side. */
  height: number;
  /** Paints the subject standing on (0, 0), about 100 units tall and facing right. */
  paint(ctx: Ctx, look: SubjectLook, random: Random, time_s: number): void;
}

export type SubjectForms<Names extends Subject> = Record<Names, SubjectForm>;
