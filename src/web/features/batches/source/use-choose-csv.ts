import { useState } from 'react';
import { MAX_LIST_ORDERS } from '#contract/limits.ts';
import { CsvError, type CsvFile, readCsv } from '../rows/read-csv.ts';

export const isCsv = ({ name, type }: Pick<File, 'name' | 'type'>): boolean =>
  /\.(?:csv|tsv|txt)$/i.test(name) || /^text\/(?:csv|tab-separated-values|plain)$/.test(type);

/** Reads a chosen or dropped file; `problem` says why the last one could not be used. */
export function useChooseCsv(onRead: (file: CsvFile) => void) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isReading, setIsReading] = useState(false);
  const choose = async (file: File) => {
    setIsReading(true);
    setProblem(null);
    try {
      onRead(await readCsv(file, MAX_LIST_ORDERS));
    } catch (error) {
      setProblem(
        error instanceof CsvError ? error.message : 'The file could not be read. Check the connection and try again.',
      );
    }
    setIsReading(false);
  };
  return { choose: (file: File) => void choose(file), problem, isReading };
}
