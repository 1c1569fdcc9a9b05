const SERIES_STYLE_COUNT = 6;

/** The background of the nth part of a bar and of its legend: a color with a pattern (tokens.css, forced-colors.css). */
export const seriesBackground = (at: number): string => `var(--series-${(at % SERIES_STYLE_COUNT) + 1})`;
