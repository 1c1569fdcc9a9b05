import type { InputContract } from '#contract/task.ts';
import { type Values, valuesOver } from '#web/forms/input-values.ts';
import { createTabMap } from '#web/forms/tab-storage.ts';

const drafts = createTabMap<Values>('emulsion.workflow-drafts', 40);

/** What was typed for a starter in this tab; undefined where nothing was. Fields that are gone are left out. */
export function readStarterDraft(slug: string, contract: InputContract): Values | undefined {
  const draft = drafts.get(slug);
  return draft && valuesOver(contract, draft);
}

export const writeStarterDraft = (slug: string, values: Values): void => drafts.set(slug, values);
