import * as z from 'zod/mini';
import type { TaskId } from '#contract/ids.ts';
import type { RemoteService } from '#server/net/remote-service.ts';
import type { UpstreamAdapter } from '../upstream.ts';

/** What every adapter is made from. */
export interface AdapterConnection {
  service: RemoteService;
  /** null where the configuration names none. */
  api_key: string | null;
  deadline_ms: number | undefined;
}

/** A kind of engine that the configuration can name. */
export interface AdapterKind {
  /** Where the service stands if nothing else is said; null: it must be said. */
  readonly base_url: string | null;
  /** Whether a key must be named: always, where the service stands at the usual address, or never. */
  readonly key: 'required' | 'at_usual_address' | 'optional';
  /** What it can do; null: anything, as its options say. */
  readonly tasks: readonly TaskId[] | null;
  /** The options that an engine, a model or a task may give. */
  readonly option_names: readonly string[];
  /** Options as the configuration gives them, checked. */
  validateOptions(options: unknown): OptionsValidation;
}

type OptionsValidation =
  | { ok: true; create: (parts: AdapterConnection) => UpstreamAdapter }
  | { ok: false; issues: readonly z.core.$ZodIssue[] };

/** @param kind.create may throw `MappingSyntaxError` where an expression is none */
export function defineAdapterKind<Shape extends z.core.$ZodLooseShape>(kind: {
  base_url: string | null;
  key: AdapterKind['key'];
  tasks?: readonly TaskId[];
  options: z.ZodMiniObject<Shape, z.core.$strict>;
  create: (parts: AdapterConnection, options: z.output<z.ZodMiniObject<Shape, z.core.$strict>>) => UpstreamAdapter;
}): AdapterKind {
  const { base_url, key, tasks = null, options, create } = kind;
  return {
    base_url,
    key,
    tasks,
    option_names: Object.keys(options.shape),
    validateOptions(given) {
      const parsed = z.safeParse(options, given, { reportInput: true });
      return parsed.success
        ? { ok: true, create: (parts) => create(parts, parsed.data) }
        : { ok: false, issues: parsed.error.issues };
    },
  };
}
