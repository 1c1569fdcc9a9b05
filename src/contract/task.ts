import type { ModelId, TaskId } from './ids.ts';

export type MediaKind = 'image' | 'video' | 'audio';
export type Scalar = string | number | boolean | null;
/** A section of the form. */
export type FieldGroup = 'main' | 'frames' | 'shape' | 'references' | 'sound' | 'more';

interface FieldSpecBase {
  name: string;
  label: string;
  /** One short sentence for a person who does not program. */
  help?: string;
  group: FieldGroup;
}

export interface TextFieldSpec extends FieldSpecBase {
  kind: 'text';
  required: true;
  /** Lengths count Unicode code points. */
  min_length: number;
  max_length: number | null;
  multiline: boolean;
  placeholder?: string;
}

export interface ChoiceFieldSpec extends FieldSpecBase {
  kind: 'choice';
  options: readonly (string | number)[];
  /** undefined: the person must choose. */
  default?: string | number | null;
  nullable?: true;
  /** How it is best shown: shapes for ratios, else segments or a list by the number of options. */
  control?: 'ratio';
  unit?: string;
  /** Words for options whose identifier is not plain enough; an empty key names null. */
  option_labels?: Readonly<Record<string, string>>;
}

export interface NumberFieldSpec extends FieldSpecBase {
  kind: 'number' | 'integer';
  required?: true;
  default?: number | null;
  nullable?: true;
  min: number;
  /** The minimum itself is refused. */
  exclusive_min?: true;
  max: number | null;
  unit?: string;
  step?: number;
  /** What an empty field means. */
  empty_label?: string;
  /** Where the number is a time in a video of the input, the name of that field. */
  time_of?: string;
}

export interface BooleanFieldSpec extends FieldSpecBase {
  kind: 'boolean';
  default: boolean;
}

export interface DateTimeFieldSpec extends FieldSpecBase {
  kind: 'datetime';
  nullable: true;
  default: null;
}

export interface ReferenceFieldSpec extends FieldSpecBase {
  kind: 'reference';
  media: MediaKind;
  required?: true;
  /** Accepts null, which is then the default. */
  nullable?: true;
  with_role: boolean;
}

export interface ReferencesFieldSpec extends FieldSpecBase {
  kind: 'references';
  media: MediaKind;
  required?: true;
  min_items: number;
  max_items: number;
  with_role: boolean;
}

export type FieldSpec =
  | TextFieldSpec
  | ChoiceFieldSpec
  | NumberFieldSpec
  | BooleanFieldSpec
  | DateTimeFieldSpec
  | ReferenceFieldSpec
  | ReferencesFieldSpec;

/** While `when` holds, `field` takes only some values. Read by the schema (to refuse) and by the form (to disable). */
export type Rule = {
  when: { field: string; in: readonly Scalar[] } | { field: string; present: true };
  field: string;
  /** A sentence that says what is possible. */
  message: string;
} & ({ allow: readonly Scalar[] } | { max_items: number });

/** The input of a task for one model, or of a task without models. */
export interface InputContract {
  fields: readonly FieldSpec[];
  rules: readonly Rule[];
}

/** What a person wants; how tasks are grouped in the studio. */
export type TaskPurpose = 'make_image' | 'make_video' | 'edit_video' | 'sound' | 'find_ideas';

interface TaskBase {
  id: TaskId;
  name: string;
  description: string;
  media_type: MediaKind;
  purpose: TaskPurpose;
  output: OutputContract;
}

export interface OutputContract {
  min_assets: number;
  max_assets: number | null;
  /** Key of the shape of `data`; see `resources/output-data.ts`. */
  data: 'any' | 'duration' | 'dimensions' | 'scenes' | 'search';
}

export type TaskContract = TaskBase &
  ({ models: Readonly<Partial<Record<ModelId, InputContract>>> } | { input: InputContract });

/** Keeps the literal types of the fields, from which `InputOf` is derived. */
export const defineTask = <const Task extends TaskContract>(task: Task): Task => task;

/** The default a field takes when it is left out; undefined where it has none. */
export function fieldDefault(field: FieldSpec): unknown {
  if (field.kind === 'reference') return field.nullable ? null : undefined;
  return 'default' in field ? field.default : undefined;
}

/** Whether a rule's condition holds for an input whose defaults are filled in. */
export function isRuleActive(rule: Rule, input: Readonly<Record<string, unknown>>): boolean {
  const value = input[rule.when.field];
  if ('present' in rule.when) return value !== undefined && value !== null;
  return rule.when.in.some((scalar) => scalar === value);
}

/** Whether an input keeps a rule. */
export function satisfiesRule(rule: Rule, input: Readonly<Record<string, unknown>>): boolean {
  if (!isRuleActive(rule, input)) return true;
  const value = input[rule.field];
  if ('allow' in rule) return rule.allow.some((scalar) => scalar === value);
  return !Array.isArray(value) || value.length <= rule.max_items;
}
