export type Json = Readonly<Record<string, unknown>>;

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The own property of a value that may be anything. */
export const property = (value: unknown, name: string): unknown =>
  isJson(value) && Object.hasOwn(value, name) ? value[name] : undefined;

export const jsonAt = (value: unknown, ...names: readonly string[]): unknown => names.reduce(property, value);

/** Returns whether a JSON value stays within a count of values and a depth. */
export function isWithin(value: unknown, limits: { values: number; depth: number }): boolean {
  let values = 0;
  const visit = (each: unknown, depth: number): boolean => {
    values += 1;
    if (values > limits.values || depth > limits.depth) return false;
    if (typeof each !== 'object' || each === null) return true;
    return Object.values(each).every((child) => visit(child, depth + 1));
  };
  return visit(value, 0);
}
