import type {
  ChoiceFieldSpec,
  NumberFieldSpec,
  ReferenceFieldSpec,
  ReferencesFieldSpec,
  Rule,
  TextFieldSpec,
} from '../task.ts';

/** Fields that several tasks share. The parameters are what differs. */

export const promptField = (min_length: number, max_length: number | null, placeholder: string): TextFieldSpec => ({
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

export const aspectRatioField = (value: string, options: readonly string[]): ChoiceFieldSpec => ({
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

export const resolutionField = (value: string, options: readonly string[]): ChoiceFieldSpec => ({
  kind: 'choice',
  name: 'resolution',
  label: 'Resolution',
  group: 'shape',
  default: value,
  options,
});

export const outputFormatField: ChoiceFieldSpec = {
  kind: 'choice',
  name: 'output_format',
  label: 'File format',
  group: 'shape',
  default: 'png',
  options: ['png', 'jpeg'],
  option_labels: { png: 'PNG', jpeg: 'JPEG' },
};

export const referenceImagesField = (max_items: number, with_role = false): ReferencesFieldSpec => ({
  kind: 'references',
  name: 'reference_images',
  label: 'Reference images',
  help: 'Images to take style, people or objects from.',
  group: 'references',
  media: 'image',
  min_items: 0,
  max_items,
  with_role,
});

export const referencesField = (
  name: string,
  label: string,
  media: ReferencesFieldSpec['media'],
  max_items: number,
  help: string,
): ReferencesFieldSpec => ({
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

export const sourceVideoField = (with_role = false): ReferenceFieldSpec => ({
  kind: 'reference',
  name: 'video',
  label: 'Video',
  help: 'The video to work on.',
  group: 'main',
  media: 'video',
  required: true,
  with_role,
});

export const frameField = (name: 'first_frame' | 'last_frame', label: string, help: string): ReferenceFieldSpec => ({
  kind: 'reference',
  name,
  label,
  help,
  group: 'frames',
  media: 'image',
  nullable: true,
  with_role: false,
});

export const secondsField = (
  field: Pick<NumberFieldSpec, 'name' | 'label' | 'min' | 'max'> & Partial<NumberFieldSpec>,
): NumberFieldSpec => ({
  kind: 'number',
  group: 'main',
  unit: 's',
  ...field,
});

export const allowedValuesRule = (
  field: string,
  values: readonly string[],
  target: string,
  allow: readonly string[],
  message: string,
): Rule => ({ when: { field, in: values }, field: target, allow, message });
