import { isObject } from '#web/ui/is-object.ts';

type Property = Readonly<Record<string, unknown>>;

const isOption = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';
const readEnum = (property: Property) => (Array.isArray(property['enum']) ? property['enum'].filter(isOption) : []);

/** Formats options for editing: one per line, with an optional label after " = ". */
export function formatChoiceOptions(property: Property): string {
  const labels = isObject(property['x-labels']) ? property['x-labels'] : {};
  return readEnum(property)
    .map((option) => {
      const label = labels[String(option)];
      return typeof label === 'string' ? `${option} = ${label}` : String(option);
    })
    .join('\n');
}

/** Parses the text back. Options stay numbers as long as all of them are. */
export function parseChoiceOptions(text: string, property: Property) {
  const lines = text.split('\n').flatMap((line) => {
    const [option = '', ...label] = line.split(' = ');
    return option.trim() === '' ? [] : [{ option: option.trim(), label: label.join(' = ').trim() }];
  });
  const before = readEnum(property);
  const numbers =
    before.length > 0 &&
    before.every((option) => typeof option === 'number') &&
    lines.every(({ option }) => Number.isFinite(Number(option)));
  const labels = lines.filter(({ label }) => label !== '').map(({ option, label }) => [option, label]);
  return {
    type: numbers ? ('number' as const) : undefined,
    enum: [...new Set(lines.map(({ option }) => (numbers ? Number(option) : option)))],
    'x-labels': labels.length > 0 ? (Object.fromEntries(labels) as Record<string, string>) : undefined,
  };
}
