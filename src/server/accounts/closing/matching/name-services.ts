import type { NamedServices } from './select-pairs.ts';

/** What a model, or a task without models, may be called on a bill; by its id. */
export type BilledNames = ReadonlyMap<string, readonly string[]>;

const MIN_CHARACTERS = 4;
const normalize = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/**
 * Finds the models that the services of a bill are: each by the longest of their names that it contains. A service that
 * names two equally stays without a model.
 */
export function nameServices(services: readonly string[], names: BilledNames): NamedServices {
  const known = [...names].flatMap(([model, texts]) =>
    texts.map((text) => ({ model, text: normalize(text) })).filter(({ text }) => text.length >= MIN_CHARACTERS),
  );
  const found = services.flatMap((service) => {
    const text = normalize(service);
    const matching = known.filter((name) => text.includes(name.text));
    const longest = Math.max(...matching.map((name) => name.text.length));
    const models = new Set(matching.filter((name) => name.text.length === longest).map(({ model }) => model));
    const [model] = models;
    return models.size === 1 && model !== undefined ? [{ service, model }] : [];
  });
  return { services: found.map(({ service }) => service), models: found.map(({ model }) => model) };
}
