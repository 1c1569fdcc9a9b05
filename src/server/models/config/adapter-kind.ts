import * as z from 'zod/mini';
import type { TaskId } from '#contract/ids.ts';
import type { RemoteService } from '#server/platform/net/remote-service.ts';
import type { UpstreamAdapter } from '#server/models/engine/upstream.ts';

export interface AdapterConnection {
  service: RemoteService;
  api_key: string | null;
  openService: (baseUrl: string) => RemoteService;
  deadlineMs: number | undefined;
}

export interface AdapterKind {
  /** Default base URL; null: the configuration must set it. */
  readonly base_url: string | null;
  /** When the configuration must name a key: always, at the default base URL, or never. */
  readonly key: 'required' | 'at_usual_address' | 'optional';
  /** The supported tasks; null: whatever its options describe. */
  readonly tasks: readonly TaskId[] | null;
  /** @returns why a task cannot run at an address, as a predicate of the option's path; null if it can */
  findProblem(task: TaskId, baseUrl: string): string | null;
  readonly option_names: readonly string[];
  validateOptions(options: unknown): OptionsValidation;
}

type OptionsValidation =
  | { ok: true; create: (connection: AdapterConnection) => UpstreamAdapter }
  | { ok: false; issues: readonly z.core.$ZodIssue[] };

/** @param kind.create may throw `MappingSyntaxError` for an invalid expression */
export function defineAdapterKind<Shape extends z.core.$ZodLooseShape>(kind: {
  base_url: string | null;
  key: AdapterKind['key'];
  tasks?: readonly TaskId[];
  findProblem?: AdapterKind['findProblem'];
  options: z.ZodMiniObject<Shape, z.core.$strict>;
  create: (connection: AdapterConnection, options: z.output<z.ZodMiniObject<Shape, z.core.$strict>>) => UpstreamAdapter;
}): AdapterKind {
  const { base_url, key, tasks = null, findProblem = () => null, options, create } = kind;
  return {
    base_url,
    key,
    tasks,
    findProblem,
    option_names: Object.keys(options.shape),
    validateOptions(input) {
      const parsed = z.safeParse(options, input, { reportInput: true });
      return parsed.success
        ? { ok: true, create: (connection) => create(connection, parsed.data) }
        : { ok: false, issues: parsed.error.issues };
    },
  };
}
