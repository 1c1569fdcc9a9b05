/** Returns the words of these lines: a long list in few lines. */
export const splitWords = (...lines: readonly string[]): readonly string[] => lines.flatMap((line) => line.split(' '));
