import { useMemo } from 'react';
import { inputContract } from '#contract/catalog.ts';
import type { ModelId, TaskId } from '#contract/ids.ts';
import { findPrice } from '#contract/pricing.ts';
import { modelHighlights, MAX_HIGHLIGHTS } from '#web/forms/model-highlights.ts';
import { usePrices } from './use-prices.ts';

interface HighlightLineProps {
  task: TaskId;
  model: ModelId;
  choices: readonly ModelId[];
}

export function HighlightLine({ task, model, choices }: HighlightLineProps) {
  const prices = usePrices();
  const highlights = useMemo(() => {
    const compared = choices.flatMap((id) => {
      const contract = inputContract(task, id);
      return contract ? [{ model: id, contract, price: prices ? findPrice(prices, task, id) : undefined }] : [];
    });
    return modelHighlights(task, model, compared);
  }, [task, model, choices, prices]);
  return highlights.slice(0, MAX_HIGHLIGHTS).join(' · ');
}
