import type { ModelId, TaskId } from './ids.ts';
import { property } from './json-value.ts';

export const MEDIA_KINDS = ['image', 'video', 'audio'] as const;
export type MediaKind = (typeof MEDIA_KINDS)[number];
export type Scalar = string | number | boolean | null;
export type FieldGroup = 'main' | 'frames' | 'shape' | 'references' | 'sound' | 'more';

interface FieldSpecBase {
  name: string;
  label: string;
  /** One short sentence for people who do not program. */
  help?: string;
  group: FieldGroup;
}

export interface TextFieldSpec extends FieldSpecBase {
  kind: 'text';
  /** Otherwise it is nullable. */
  required?: true;
  nullable?: true;
  default?: string | null;
  /** Lengths count Unicode code points. */
  min_length: number;
  max_length: number | null;
  multiline: boolean;
  placeholder?: string;
  /** A JSON number is its text. */
  or_number?: true;
}

export interface ChoiceFieldSpec extends FieldSpecBase {
  kind: 'choice';
  options: readonly (string | number)[];
  /** Accepts other texts too, up to this many characters. */
  own_max_length?: number;
  /** A JSON number that is no option is such a text. */
  or_number?: true;
  /** undefined: the input must name one. */
  default?: string | number | null;
  /** The option with which a form starts where there is no default. */
  preselected?: string;
  nullable?: true;
  /** Control to show: shapes for ratios, otherwise segments or a list, by the number of options. */
  control?: 'ratio';
  unit?: string;
  /** Labels for options whose identifier is unclear; the empty key labels null. */
  option_labels?: Readonly<Record<string, string>>;
}

export interface NumberFieldSpec extends FieldSpecBase {
  kind: 'number' | 'integer';
  required?: true;
  default?: number | null;
  nullable?: true;
  min: number | null;
  /** `min` itself is not allowed. */
  exclusive_min?: true;
  max: number | null;
  /** `max` itself is not allowed. */
  exclusive_max?: true;
  /** Other numbers are rejected. */
  multiple_of?: number;
  unit?: string;
  /** Of the control. */
  step?: number;
  empty_label?: string;
  /** The video field of the same input that this time refers to. */
  time_of?: string;
}

export interface BooleanFieldSpec extends FieldSpecBase {
  kind: 'boolean';
  /** It has no default. */
  required?: true;
  /** null: the model decides. */
  default?: boolean | null;
  nullable?: true;
}

export interface DateTimeFieldSpec extends FieldSpecBase {
  kind: 'datetime';
  nullable: true;
  default: null;
}

/**
 * What a model reads in a mask as the area to change. Everywhere else masks are stored and given with white for it; black
 * keeps. Decision: Masks
 */
export const MASK_POLARITIES = ['white', 'black', 'transparent'] as const;

/** Instead of what the provider says of the polarity. */
export const MASK_HELP = 'White marks what to change in its image; black is kept.';

export interface MaskSpec {
  /** The field of its picture beside it, or else of the input: `image_url`, `images.0`. See `extractReferences`. */
  of: string;
  polarity: (typeof MASK_POLARITIES)[number];
}

export interface ReferenceFieldSpec extends FieldSpecBase {
  kind: 'reference';
  media: MediaKind;
  /** It is an image that marks what to change in another one, pixel by pixel. */
  mask?: MaskSpec;
  /** Allowed length of the file. */
  seconds?: { min: number; max: number };
  required?: true;
  /** Accepts null, which is then the default. */
  nullable?: true;
  with_role: boolean;
}

export interface ReferencesFieldSpec extends FieldSpecBase {
  kind: 'references';
  media: MediaKind;
  required?: true;
  /** Accepts null, which is then the default. */
  nullable?: true;
  min_items: number;
  max_items: number;
  with_role: boolean;
}

/** A named size, or a width and a height in pixels. */
export interface SizeFieldSpec extends FieldSpecBase {
  kind: 'size';
  options: readonly string[];
  /** undefined: the input must name a size. */
  default?: string | Size | null;
  nullable?: true;
  /** Of the width and the height, in pixels. */
  min: number;
  max: number;
  step?: number;
  option_labels?: Readonly<Record<string, string>>;
}

export interface Size {
  width: number;
  height: number;
}

/** A field whose value is no object and no list. */
type SimpleFieldSpec = TextFieldSpec | ChoiceFieldSpec | NumberFieldSpec | BooleanFieldSpec;

/** A field inside of an object. */
export type NestedFieldSpec = SimpleFieldSpec | ListFieldSpec | ReferenceFieldSpec | ReferencesFieldSpec;

/** An object of fields. */
export interface GroupFieldSpec extends FieldSpecBase {
  kind: 'group';
  fields: readonly NestedFieldSpec[];
  /** Otherwise it is nullable. */
  required?: true;
  nullable?: true;
  default?: null;
}

interface ListFieldSpecBase extends FieldSpecBase {
  required?: true;
  nullable?: true;
  min_items: number;
  max_items: number;
}

/** A list of objects of fields. */
export interface RowsFieldSpec extends ListFieldSpecBase {
  kind: 'rows';
  fields: readonly NestedFieldSpec[];
  default?: readonly Readonly<Record<string, unknown>>[] | null;
}

/** A list of texts, numbers or options; its items are never empty. */
export interface ListFieldSpec extends ListFieldSpecBase {
  kind: 'list';
  item: TextFieldSpec | NumberFieldSpec | ChoiceFieldSpec;
  /** An item alone is a list of it. */
  or_item?: true;
  default?: readonly (string | number)[] | null;
}

/** An object that no other kind can show, written as JSON. What it holds is validated by its owner. */
export interface JsonFieldSpec extends FieldSpecBase {
  kind: 'json';
  /** Otherwise it is nullable. */
  required?: true;
  nullable?: true;
  default?: null;
  /** Properties that it can have. */
  keys: readonly string[];
}

export type FieldSpec =
  | TextFieldSpec
  | ChoiceFieldSpec
  | NumberFieldSpec
  | BooleanFieldSpec
  | SizeFieldSpec
  | GroupFieldSpec
  | RowsFieldSpec
  | ListFieldSpec
  | JsonFieldSpec
  | DateTimeFieldSpec
  | ReferenceFieldSpec
  | ReferencesFieldSpec;

/** Restricts `field` while `when` is true. The schema rejects other values; the form disables them. */
export type Rule = {
  when: { field: string; in: readonly Scalar[] } | { field: string; present: true };
  field: string;
  /** Message that states what is allowed. */
  message: string;
} & ({ allow: readonly Scalar[] } | { max_items: number });

/** The most that a field may say, where its kind can't: of a text, a choice or an object. */
export interface QuantityBound {
  field: string;
  of: 'number' | 'megapixels';
  most: number;
}

/** Input of a task for one model, or of a task without models. */
export interface InputContract {
  fields: readonly FieldSpec[];
  rules: readonly Rule[];
  /** Of added models: what their price is bounded by. */
  bounds?: readonly QuantityBound[];
}

/** Groups tasks in the dashboard by what a person wants to do. */
export type TaskPurpose = 'make_image' | 'make_video' | 'edit_video' | 'sound' | 'find_ideas' | 'make_sound' | 'other';

interface TaskBase {
  id: TaskId;
  name: string;
  /** A short name beside tasks of the same purpose. */
  label: string;
  description: string;
  media_type: MediaKind;
  purpose: TaskPurpose;
  /** What people may call it, beside its name. */
  search_words: string;
  /** Of its MCP tool, named after what it does, since assistants choose by the name. */
  tool_name: string;
  needs_ffmpeg?: true;
  named_by?: NamedBy;
  provenance?: Provenance;
  output: OutputContract;
}

/** Names outputs after a medium of the input, “A red fox – trimmed”; otherwise the prompt does. */
interface NamedBy {
  field: string;
  /** What is done to it. */
  edit: string;
  /** The number of the output follows. */
  is_numbered?: true;
}

/** What a task does to the media that it takes. Without a parent, its result is new. */
export interface Provenance {
  /** Kind of the medium that it changes. */
  parent?: MediaKind;
  /** Kind of the media that become part of the result. */
  parts?: MediaKind;
  /** As in the specification of C2PA. */
  action?: string;
  /** Actions of an edit in steps, by the field that asks for each; `action` where none does. */
  actionsByField?: Readonly<Record<string, string>>;
}

export interface OutputContract {
  min_assets: number;
  max_assets: number | null;
  /** Schema of `data`; see `resources/output-data.ts`. */
  data: 'any' | 'duration' | 'dimensions' | 'scenes' | 'search';
}

export type TaskContract = TaskBase &
  ({ models: Readonly<Partial<Record<ModelId, InputContract>>> } | { input: InputContract });

/** Keeps the literal types of the fields, from which `InputOf` is derived. */
export const defineTask = <const Task extends TaskContract>(task: Task): Task => task;

/** Returns the default value of a field, or undefined if it has none. */
export function fieldDefault(field: FieldSpec): unknown {
  if (field.kind === 'reference' || field.kind === 'references') return field.nullable ? null : undefined;
  return 'default' in field ? field.default : undefined;
}

/** Returns whether a rule's condition is true for an input with defaults. An empty list is not present. */
export function isRuleActive(rule: Rule, input: Readonly<Record<string, unknown>>): boolean {
  const value = property(input, rule.when.field);
  if ('present' in rule.when)
    return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
  return rule.when.in.some((scalar) => scalar === value);
}

export function satisfiesRule(rule: Rule, input: Readonly<Record<string, unknown>>): boolean {
  if (!isRuleActive(rule, input)) return true;
  const value = property(input, rule.field);
  // A field that is left out counts as null, its only value without a default.
  if ('allow' in rule) return rule.allow.some((scalar) => scalar === (value ?? null));
  return !Array.isArray(value) || value.length <= rule.max_items;
}

/** Returns whether a rule holds for every input, because its condition names a field that no input lacks. */
export const isUnconditional = ({ fields }: InputContract, { when }: Rule): boolean =>
  'present' in when &&
  fields.some((field) => field.name === when.field && 'required' in field && field.required === true);
