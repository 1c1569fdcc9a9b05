import * as z from 'zod/mini';
import { line } from '#contract/one-line.ts';
import type { ErrorDetail } from '#contract/api/errors.ts';
import { toErrorDetails } from '#contract/api/error-details.ts';
import type { FieldSpec, FieldGroup } from '#contract/task.ts';

export type FieldReadResult = { ok: true; field: FieldSpec } | { ok: false; problems: ErrorDetail[] };

interface FieldSource {
  name: string;
  property: Readonly<Record<string, unknown>>;
  /** Listed under `required`. */
  required: boolean;
  /** Path for problems. */
  path: string;
}

/** Reads one kind of property of a workflow's input schema. */
export interface FieldReader {
  matches(property: Readonly<Record<string, unknown>>): boolean;
  read(source: FieldSource): FieldReadResult;
}

const GROUPS = ['main', 'shape', 'references', 'sound', 'more'] as const satisfies readonly FieldGroup[];

export const commonProperties = {
  title: z.optional(line(80)),
  description: z.optional(z.string().check(z.maxLength(300))),
  'x-group': z.optional(z.enum(GROUPS)),
};
export const nullableTypeSchema = <T extends string>(type: T) =>
  z.union([z.literal(type), z.tuple([z.literal(type), z.literal('null')])]);
export const hasType = (property: Readonly<Record<string, unknown>>, ...types: string[]) => {
  const [type] = [property['type']].flat();
  return typeof type === 'string' && types.includes(type);
};

const defaultLabel = (name: string) => {
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** Creates a reader from the schema of a property and a function that converts a valid one. */
export function createFieldReader<
  S extends z.ZodMiniType<{ title?: string | undefined; description?: string | undefined }>,
>(
  matches: FieldReader['matches'],
  schema: S,
  build: (
    property: z.output<S>,
    source: FieldSource & { base: { name: string; label: string; help?: string } },
  ) => FieldSpec | string,
): FieldReader {
  return {
    matches,
    read(source) {
      const parsed = schema.safeParse(source.property, { reportInput: true });
      if (!parsed.success) return { ok: false, problems: toErrorDetails(parsed.error.issues, source.path) };
      const { title, description } = parsed.data;
      const base = {
        name: source.name,
        label: title ?? defaultLabel(source.name),
        ...(description ? { help: description } : {}),
      };
      const field = build(parsed.data, { ...source, base });
      if (typeof field !== 'string') return { ok: true, field };
      return { ok: false, problems: [{ path: source.path, message: field }] };
    },
  };
}
