/** The list under a text box shows no more. */
const MAX_SHOWN = 100;

/** The options that contain each word of a search, those that start with it first. */
export function matchOptions(labels: readonly string[], search: string): string[] {
  const text = search.trim().toLowerCase();
  const words = text.split(/\s+/).filter(Boolean);
  const matches = labels.filter((label) => {
    const lower = label.toLowerCase();
    return words.every((word) => lower.includes(word));
  });
  const starts = matches.filter((label) => label.toLowerCase().startsWith(text));
  return [...new Set([...starts, ...matches])].slice(0, MAX_SHOWN);
}
