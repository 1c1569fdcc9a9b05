/** The end of a key's id, which tells keys of one name apart: "…q0s2". */
export const keyIdSuffix = (id: string): string => `…${id.slice(-4)}`;

/** Gives things that share a name the end of their id: "Ana · …q0s2". Others keep their name alone. */
export function disambiguateNames<T extends { id: string | null | undefined; name: string }>(
  things: readonly T[],
): T[] {
  const counts = new Map<string, number>();
  for (const { name } of things) counts.set(name, (counts.get(name) ?? 0) + 1);
  return things.map((thing) =>
    thing.id && (counts.get(thing.name) ?? 0) > 1
      ? { ...thing, name: `${thing.name} · ${keyIdSuffix(thing.id)}` }
      : thing,
  );
}
