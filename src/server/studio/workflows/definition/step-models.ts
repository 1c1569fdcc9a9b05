import { type AddedModel, type AddedModels, isModelVisible } from '#server/models/added-models/added-models.ts';
import type { Offering } from '#server/models/catalog/offering.ts';
import type { Caller } from '#server/platform/core/caller.ts';

/** The models that the steps of a workflow may name, beside the built-in ones. */
export interface StepModels {
  added: AddedModels;
  isKnown: (model: AddedModel) => boolean;
}

export const NO_ADDED_MODELS: StepModels = { added: new Map(), isKnown: () => false };

/** Those that somebody may use, for a definition that they write. */
export const usableModels = ({ added }: Offering, caller: Caller): StepModels => ({
  added,
  isKnown: (model) => isModelVisible(model, caller),
});

/** Those of an organization in any state, for a definition that was accepted: whether they run is said when it runs. */
export const storedModels = ({ added }: Offering, organizationId: string): StepModels => ({
  added,
  isKnown: (model) => model.organization_id === organizationId,
});

/** Changes with every model that a definition of an organization is read with. */
export const modelsKey = ({ added, isKnown }: StepModels): string =>
  [...added.values()]
    .filter((model) => isKnown(model))
    .map(({ id, current }) => `${id}@${current.version}`)
    .join();
