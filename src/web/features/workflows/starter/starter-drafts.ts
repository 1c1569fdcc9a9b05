import type { InputContract } from '#contract/task.ts';
import { type FormValues, fillMissingValues } from '#web/forms/form-values.ts';
import { createTabStorage } from '#web/api/tab-storage.ts';

const drafts = createTabStorage<FormValues>('emulsion.workflow-drafts', 40);

/** What was typed for a starter in this tab; undefined where nothing was. Fields that are gone are left out. */
export function readStarterDraft(slug: string, contract: InputContract): FormValues | undefined {
  const draft = drafts.get(slug);
  return draft && fillMissingValues(contract, draft);
}

export const writeStarterDraft = (slug: string, values: FormValues): void => drafts.set(slug, values);
