import type { EngineJob, ResolvedReference } from '#server/models/engine/engine.ts';
import { renameMentions } from '#server/models/engine/reference-mentions.ts';

/** Hands out the references of a job by field, so that none is sent twice or left out. */
export interface ReferenceReader {
  /** References of a field, in order; empty if there are none. */
  readList(this: void, field: string): readonly ResolvedReference[];
  readOne(this: void, field: string): ResolvedReference | undefined;
  /** @throws {Error} if a reference was not read: the request would silently lack it */
  assertAllRead(this: void): void;
}

export function createReferenceReader({ references }: Pick<EngineJob, 'references'>): ReferenceReader {
  const unread = new Set(references);
  const readList = (field: string): readonly ResolvedReference[] => {
    const found = references.filter(({ path }) => path === field || path.startsWith(`${field}.`));
    for (const reference of found) unread.delete(reference);
    return found;
  };
  return {
    readList,
    readOne: (field) => readList(field)[0],
    assertAllRead() {
      const [reference] = unread;
      if (reference) throw new Error(`The request has no place for the reference ${reference.path}.`);
    },
  };
}

/**
 * Writes the names of references, which prompts call `@Image1`, as the model knows them. Appends the roles that people
 * gave to references, for models that read roles from the prompt alone.
 * @param named references by the name that the model knows them by: `Image 1`
 */
export function appendRoles(prompt: string, named: readonly (readonly [string, ResolvedReference])[]): string {
  const roles = named.flatMap(([name, { role }]) => (role?.trim() ? [`${name}: ${role.trim()}`] : []));
  const text = renameMentions(prompt, named);
  return roles.length === 0 ? text : `${text}\n\n${roles.join('\n')}`;
}
