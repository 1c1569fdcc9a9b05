/** The end of a key's id, which distinguishes keys of one name: "…q0s2". */
export const keyIdSuffix = (id: string): string => `…${id.slice(-4)}`;

/** Appends the end of the id to names that several things share: "Ana · …q0s2". */
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
