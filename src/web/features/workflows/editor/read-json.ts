export type ReadJson = { ok: true; value: Record<string, unknown> } | { ok: false; message: string };

/** A text as a JSON object, or why it is none, with the line where that can be said. */
export function readJson(text: string): ReadJson {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { ok: true, value: value as Record<string, unknown> };
    return { ok: false, message: 'A starter is a JSON object: { … }.' };
  } catch (error) {
    return { ok: false, message: `This is not JSON${placeOf(text, error)}.` };
  }
}

/** Browsers say a position, a line and column, or nothing at all. */
function placeOf(text: string, error: unknown): string {
  const said = error instanceof Error ? error.message : '';
  const line = /line (\d+)/.exec(said)?.[1];
  if (line) return ` (line ${line})`;
  const position = /position (\d+)/.exec(said)?.[1];
  if (position) return ` (line ${text.slice(0, Number(position)).split('\n').length})`;
  return text.trim() === '' ? ': nothing is written' : ': something is missing at the end';
}
