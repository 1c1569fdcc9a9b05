import type {
  ChoiceFieldSpec,
  NumberFieldSpec,
  ReferenceFieldSpec,
  ReferencesFieldSpec,
  Rule,
  TextFieldSpec,
} from '../task.ts';

/** Fields that several tasks share; each call names what differs. Names and options keep their literal types for `InputOf`. */

export const promptField = (minLength: number, maxLength: number | null, placeholder: string) =>
  ({
    kind: 'text',
    name: 'prompt',
    label: 'Prompt',
    group: 'main',
    required: true,
    min_length: minLength,
    max_length: maxLength,
    multiline: true,
    placeholder,
  }) as const satisfies TextFieldSpec;

export const aspectRatioField = <const Option extends string>(value: NoInfer<Option>, options: readonly Option[]) =>
  ({
    kind: 'choice',
    name: 'aspect_ratio',
    label: 'Shape',
    help: 'Width to height.',
    group: 'shape',
    control: 'ratio',
    default: value,
    options,
    option_labels: { auto: 'Auto', adaptive: 'Adaptive' },
  }) as const satisfies ChoiceFieldSpec;

export const resolutionField = <const Option extends string>(value: NoInfer<Option>, options: readonly Option[]) =>
  ({
    kind: 'choice',
    name: 'resolution',
    label: 'Size',
    group: 'shape',
    default: value,
    options,
  }) as const satisfies ChoiceFieldSpec;

export const outputFormatField = {
  kind: 'choice',
  name: 'output_format',
  label: 'File format',
  group: 'shape',
  default: 'png',
  options: ['png', 'jpeg'],
  option_labels: { png: 'PNG', jpeg: 'JPEG' },
} as const satisfies ChoiceFieldSpec;

export const referenceImagesField = <const Role extends boolean = false>(
  maxItems: number,
  withRole: Role = false as Role,
) =>
  ({
    kind: 'references',
    name: 'reference_images',
    label: 'Reference images',
    help: 'Images to take style, people or objects from.',
    group: 'references',
    media: 'image',
    min_items: 0,
    max_items: maxItems,
    with_role: withRole,
  }) as const satisfies ReferencesFieldSpec;

export const referencesField = <const Name extends string>(
  name: Name,
  label: string,
  media: ReferencesFieldSpec['media'],
  maxItems: number,
  help: string,
) =>
  ({
    kind: 'references',
    name,
    label,
    help,
    group: 'references',
    media,
    min_items: 0,
    max_items: maxItems,
    with_role: true,
  }) as const satisfies ReferencesFieldSpec;

export const sourceVideoField = <const Role extends boolean = false>(withRole: Role = false as Role) =>
  ({
    kind: 'reference',
    name: 'video',
    label: 'Video',
    help: 'The video to work on.',
    group: 'main',
    media: 'video',
    required: true,
    with_role: withRole,
  }) as const satisfies ReferenceFieldSpec;

export const frameField = <const Name extends string>(name: Name, label: string, help: string) =>
  ({
    kind: 'reference',
    name,
    label,
    help,
    group: 'frames',
    media: 'image',
    nullable: true,
    with_role: false,
  }) as const satisfies ReferenceFieldSpec;

type SecondsField = Pick<NumberFieldSpec, 'name' | 'label' | 'min' | 'max'> & Partial<NumberFieldSpec>;

export const secondsField = <const Field extends SecondsField>(field: Field): NumberFieldSpec & Field => ({
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
