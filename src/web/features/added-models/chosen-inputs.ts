import type { ComfyCandidate } from '#contract/added-models/comfyui-schema.ts';
import type { ModelInspection, ModelSource } from '#contract/resources/added-model.ts';
import type { FieldSpec } from '#contract/task.ts';

/** An input of a workflow that is a field of its form. */
export type ChosenInput = NonNullable<ModelSource['inputs']>[number];

/** The service names and labels the usual inputs, such as the prompt. */
const shapeOf = ({ name: _name, label: _label, help: _help, group: _group, ...shape }: FieldSpec): string =>
  JSON.stringify(Object.entries(shape).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Inputs that are fields of the form already, in its order. */
export function chosenInputs({
  contract,
  candidates = [],
}: Pick<ModelInspection, 'contract' | 'candidates'>): ChosenInput[] {
  const free = candidates.filter((each): each is ComfyCandidate & { field: FieldSpec } => each.field !== null);
  return contract.fields.flatMap((field) => {
    const named = free.findIndex((each) => each.field.name === field.name && shapeOf(each.field) === shapeOf(field));
    const at = named === -1 ? free.findIndex((each) => shapeOf(each.field) === shapeOf(field)) : named;
    if (at === -1) return [];
    const [{ node, input, field: own }] = free.splice(at, 1) as [(typeof free)[number]];
    return [
      {
        node,
        input,
        ...(own.name === field.name ? {} : { name: field.name }),
        ...(own.label === field.label ? {} : { label: field.label }),
      },
    ];
  });
}
