/** Command-line words, written as one line. Not for words that hold blanks, file names above all. */
export const flags = (line: string): string[] => line.split(' ');
