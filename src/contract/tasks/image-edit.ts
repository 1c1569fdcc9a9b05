import { defineTask, type FieldSpec, type InputContract, MASK_HELP, type ReferenceFieldSpec } from '../task.ts';
import { imageModels } from './image-create.ts';

const toEditField = (field: FieldSpec): FieldSpec => {
  if (field.name === 'prompt') return { ...field, help: 'Describe what to change.', ...EDIT_PLACEHOLDER };
  if (field.kind !== 'references') return field;
  return {
    ...field,
    name: 'images',
    label: 'Images',
    help: 'The images to change or combine.',
    group: 'main',
    required: true,
    min_items: 1,
  };
};
const EDIT_PLACEHOLDER = { placeholder: 'Make it dusk, keep the people unchanged' };

/** Decision: Masks */
const maskField = {
  kind: 'reference',
  name: 'mask',
  label: 'Mask',
  help: MASK_HELP,
  group: 'main',
  media: 'image',
  mask: { of: 'images.0', polarity: 'transparent' },
  nullable: true,
  with_role: false,
} as const satisfies ReferenceFieldSpec;

type EditField<Field> = Field extends { kind: 'references' }
  ? Omit<Field, 'name'> & { name: 'images'; required: true }
  : Field;
type ImageModels = typeof imageModels;
type EditModels = {
  [Model in keyof ImageModels]: {
    fields: readonly (EditField<ImageModels[Model]['fields'][number]> | typeof maskField)[];
    rules: InputContract['rules'];
  };
};

const toEditContract = ({ fields, rules }: InputContract): InputContract => {
  const edited = fields.map(toEditField);
  const images = edited.filter((field) => field.name === 'images');
  return { fields: [...images, maskField, ...edited.filter((field) => field.name !== 'images')], rules };
};

/** Spec: Task contracts: image.edit */
export const imageEdit = defineTask({
  id: 'image.edit',
  name: 'Edit an image',
  label: 'Edit',
  description: 'Change or combine images from a text description.',
  media_type: 'image',
  purpose: 'make_image',
  search_words: 'change picture photo retouch combine inpaint',
  tool_name: 'edit_image',
  named_by: { field: 'images.0', edit: 'edited' },
  provenance: { parent: 'image', action: 'c2pa.edited' },
  models: Object.fromEntries(
    Object.entries(imageModels).map(([model, contract]) => [model, toEditContract(contract)]),
  ) as EditModels,
  output: { min_assets: 1, max_assets: null, data: 'any' },
});
