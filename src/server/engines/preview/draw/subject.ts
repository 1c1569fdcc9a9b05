import type { Subject } from '../brief/lexicon.ts';
import type { Color } from '../color/color.ts';
import type { Random } from '../random.ts';
import type { Ctx } from './stage.ts';

/** Colours a subject is painted with. */
export interface SubjectLook {
  /** What stands against the light. */
  dark: Color;
  light: Color;
  accent: Color;
  accent_2: Color;
  ink: Color;
  night: boolean;
  light_from_left: boolean;
}

/** Where a subject belongs: `ground` for who walks there, `site` for what was built or grew there. */
export type Medium = 'ground' | 'site' | 'water' | 'sky';

export interface SubjectForm {
  medium: Medium;
  /** Height as a share of the frame's shorter side. */
  height: number;
  /**
   * Paints it standing on (0, 0), about 100 units tall and facing right. `time_s` moves what moves.
   */
  paint(ctx: Ctx, look: SubjectLook, random: Random, time_s: number): void;
}

export type SubjectForms<Names extends Subject> = Record<Names, SubjectForm>;
