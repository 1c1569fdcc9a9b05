import type { ChoiceField, NumberField, ReferenceField, ReferencesField, Rule, TextField } from '../task.ts';

/** Fields that several tasks share; each call names what differs. */

export const prompt = (min_length: number, max_length: number | null, placeholder: string): TextField => ({
  kind: 'text',
  name: 'prompt',
  label: 'Prompt',
  group: 'main',
  required: true,
  min_length,
  max_length,
  multiline: true,
  placeholder,
});

export const aspectRatio = (value: string, options: readonly string[]): ChoiceField => ({
  kind: 'choice',
  name: 'aspect_ratio',
  label: 'Aspect ratio',
  help: 'Width to height.',
  group: 'shape',
  control: 'ratio',
  default: value,
  options,
  option_labels: { auto: 'Auto', adaptive: 'Adaptive' },
});

export const resolution = (value: string, options: readonly string[]): ChoiceField => ({
  kind: 'choice',
  name: 'resolution',
  label: 'Resolution',
  group: 'shape',
  default: value,
  options,
});

export const outputFormat: ChoiceField = {
  kind: 'choice',
  name: 'output_format',
  label: 'File format',
  group: 'shape',
  default: 'png',
  options: ['png', 'jpeg'],
  option_labels: { png: 'PNG', jpeg: 'JPEG' },
};

export const referenceImages = (max_items: number, with_role = false): ReferencesField => ({
  kind: 'references',
  name: 'reference_images',
  label: 'Reference images',
  help: 'Pictures to take style, people or things from.',
  group: 'references',
  media: 'image',
  min_items: 0,
  max_items,
  with_role,
});

export const references = (
  name: string,
  label: string,
  media: ReferencesField['media'],
  max_items: number,
  help: string,
): ReferencesField => ({
  kind: 'references',
  name,
  label,
  help,
  group: 'references',
  media,
  min_items: 0,
  max_items,
  with_role: true,
});

export const sourceVideo = (with_role = false): ReferenceField => ({
  kind: 'reference',
  name: 'video',
  label: 'Video',
  help: 'The video to work on.',
  group: 'main',
  media: 'video',
  required: true,
  with_role,
});

export const frame = (name: 'first_frame' | 'last_frame', label: string, help: string): ReferenceField => ({
  kind: 'reference',
  name,
  label,
  help,
  group: 'frames',
  media: 'image',
  nullable: true,
  with_role: false,
});

export const seconds = (
  field: Pick<NumberField, 'name' | 'label' | 'min' | 'max'> & Partial<NumberField>,
): NumberField => ({
  kind: 'number',
  group: 'main',
  unit: 's',
  ...field,
});

export const onlyWhen = (
  field: string,
  values: readonly string[],
  target: string,
  allow: readonly string[],
  message: string,
): Rule => ({ when: { field, in: values }, field: target, allow, message });
