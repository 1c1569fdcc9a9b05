import { useRef, useState } from 'react';
import { MAX_LIST_ORDERS } from '#contract/limits.ts';
import type { LegacyEncoding } from '#contract/decode-text.ts';
import { CsvError, type CsvFile, readCsv } from '../rows/read-csv.ts';

export const isCsv = ({ name, type }: Pick<File, 'name' | 'type'>): boolean =>
  /\.(?:csv|tsv|txt)$/i.test(name) || /^text\/(?:csv|tab-separated-values|plain)$/.test(type);

/** Reads a chosen or dropped file; `problem` says why the last one could not be used. */
export function useChooseCsv(onRead: (file: CsvFile) => void) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isReading, setIsReading] = useState(false);
  const latest = useRef<File | null>(null);
  const choose = async (file: File, encoding?: LegacyEncoding) => {
    latest.current = file;
    setIsReading(true);
    setProblem(null);
    try {
      onRead(await readCsv(file, MAX_LIST_ORDERS, encoding));
    } catch (error) {
      setProblem(
        error instanceof CsvError ? error.message : 'The file could not be read. Check the connection and try again.',
      );
    }
    setIsReading(false);
  };
  /** Reads the same file again. After a reload of the page it has to be chosen again. */
  const changeEncoding = (encoding: LegacyEncoding) => {
    if (latest.current) void choose(latest.current, encoding);
    else setProblem('Choose the file again to read it in another encoding.');
  };
  return { choose: (file: File) => void choose(file), changeEncoding, problem, isReading };
}
