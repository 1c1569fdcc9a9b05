import { type FieldSpec, type InputContract, MASK_HELP } from '../task.ts';
import type { NormalizedModel } from './fields/normalize-schema.ts';
import type { OutputHints } from './output-hints.ts';
import { hashSchema } from './schema-hash.ts';

/** What a model of an OpenAI-compatible server makes. Its list of models names none, so the administrator does. */
export type CompatibleKind = 'image' | 'video' | 'speech';

const prompt = (label: string, maxLength: number): FieldSpec => ({
  kind: 'text',
  name: 'prompt',
  label,
  group: 'main',
  required: true,
  min_length: 1,
  max_length: maxLength,
  multiline: true,
});

const SIZES = ['1024x1024', '1536x1024', '1024x1536'];
const VIDEO_SIZES = ['1280x720', '720x1280'];
const OWN_SIZE_CHARACTERS = 20;
const VOICES = ['alloy', 'ash', 'ballad', 'coral', 'echo', 'fable', 'nova', 'onyx', 'sage', 'shimmer', 'verse'];

const FIELDS: Readonly<Record<CompatibleKind, readonly FieldSpec[]>> = {
  image: [
    prompt('Prompt', 32_000),
    {
      kind: 'choice',
      name: 'size',
      label: 'Size',
      group: 'shape',
      options: SIZES,
      own_max_length: OWN_SIZE_CHARACTERS,
      default: null,
      nullable: true,
    },
    { kind: 'integer', name: 'n', label: 'Images', group: 'shape', min: 1, max: 10, default: 1 },
    {
      kind: 'choice',
      name: 'quality',
      label: 'Quality',
      group: 'shape',
      options: ['low', 'medium', 'high'],
      own_max_length: OWN_SIZE_CHARACTERS,
      default: null,
      nullable: true,
    },
    {
      kind: 'references',
      name: 'image',
      label: 'Reference images',
      group: 'references',
      media: 'image',
      min_items: 0,
      max_items: 16,
      with_role: false,
    },
    {
      kind: 'reference',
      name: 'mask',
      label: 'Mask',
      help: MASK_HELP,
      group: 'references',
      media: 'image',
      mask: { of: 'image.0', polarity: 'transparent' },
      nullable: true,
      with_role: false,
    },
  ],
  video: [
    prompt('Prompt', 32_000),
    {
      kind: 'choice',
      name: 'seconds',
      label: 'Duration',
      group: 'shape',
      options: ['4', '8', '12'],
      own_max_length: 4,
      default: '4',
      unit: 's',
    },
    {
      kind: 'choice',
      name: 'size',
      label: 'Size',
      group: 'shape',
      options: VIDEO_SIZES,
      own_max_length: OWN_SIZE_CHARACTERS,
      default: null,
      nullable: true,
    },
    {
      kind: 'reference',
      name: 'input_reference',
      label: 'First frame',
      group: 'frames',
      media: 'image',
      nullable: true,
      with_role: false,
    },
  ],
  speech: [
    { ...prompt('Text', 4_096), name: 'input' },
    {
      kind: 'choice',
      name: 'voice',
      label: 'Voice',
      group: 'sound',
      options: VOICES,
      own_max_length: 100,
      default: 'alloy',
    },
    {
      kind: 'text',
      name: 'instructions',
      label: 'Instructions',
      help: 'How the voice speaks. Not every model follows them.',
      group: 'more',
      nullable: true,
      default: null,
      min_length: 1,
      max_length: 4_096,
      multiline: true,
    },
    {
      kind: 'number',
      name: 'speed',
      label: 'Speed',
      group: 'more',
      min: 0.25,
      max: 4,
      step: 0.05,
      default: 1,
      unit: '×',
    },
    {
      kind: 'choice',
      name: 'response_format',
      label: 'Format',
      group: 'more',
      options: ['mp3', 'wav', 'flac', 'opus', 'aac'],
      default: 'mp3',
    },
  ],
};

const OUTPUTS: Readonly<Record<CompatibleKind, OutputHints>> = {
  image: { files: [{ path: 'data[].url', kind: 'image', many: true }], has_data: false },
  video: { files: [{ path: 'content', kind: 'video', many: false }], has_data: false },
  speech: { files: [{ path: '', kind: 'audio', many: false }], has_data: false },
};

const contractOf = (kind: CompatibleKind): InputContract => ({ fields: FIELDS[kind], rules: [] });

/** The model of an endpoint whose parameters OpenAI documents; the server has no schema. */
export async function normalizeCompatible(kind: CompatibleKind): Promise<NormalizedModel> {
  const contract = contractOf(kind);
  const media = contract.fields.flatMap((field) => ('media' in field ? [[field.name, field.media] as const] : []));
  return {
    contract,
    hidden: {},
    advanced: null,
    media: Object.fromEntries(media),
    conversions: {},
    sends_null: [],
    notes: {},
    output: OUTPUTS[kind],
    hash: await hashSchema(contract.fields),
  };
}
