import type { TextModel } from '#contract/resources/text-model.ts';
import { parseAmount } from '#web/ui/controls/parse-amount.ts';
import type { TextModelValues } from './text-model-values.ts';

const readAmount = (typed: string): string => parseAmount(typed, { zero: true }).amount ?? typed;

/** The text model for a request; null: none. */
export const toTextModel = ({ enabled, model, ...amounts }: TextModelValues): TextModel | null =>
  enabled
    ? {
        model: model.trim(),
        input_usd_per_million: readAmount(amounts.input_usd_per_million),
        output_usd_per_million: readAmount(amounts.output_usd_per_million),
        daily_limit_usd: readAmount(amounts.daily_limit_usd),
      }
    : null;
