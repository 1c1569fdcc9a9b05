import { FileSpreadsheet, X } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '#web/ui/controls/button.tsx';
import { Checkbox } from '#web/ui/controls/checkbox.tsx';
import { ErrorText } from '#web/ui/controls/field.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { FileInput } from '#web/ui/controls/file-input.tsx';
import type { LegacyEncoding } from '#contract/decode-text.ts';
import type { CsvFile } from '../rows/read-csv.ts';
import { EncodingNote } from './encoding-note.tsx';
import { saveExampleCsv } from './example-csv.ts';

interface CsvSourceProps {
  file: CsvFile | null;
  hasHeader: boolean;
  problem: string | null;
  isReading: boolean;
  onChoose: (file: File) => void;
  onEncodingChange: (encoding: LegacyEncoding) => void;
  onRemove: () => void;
  onHeaderChange: (hasHeader: boolean) => void;
}

export function CsvSource(props: CsvSourceProps) {
  const { file, hasHeader, problem, isReading, onChoose, onEncodingChange, onRemove, onHeaderChange } = props;
  const input = useRef<HTMLInputElement>(null);
  const count = file ? file.lines.length - (hasHeader ? 1 : 0) : 0;
  return (
    <div className="flex flex-col gap-2">
      <FileInput
        ref={input}
        accept=".csv,.tsv,.txt,text/csv"
        label="CSV file"
        onChoose={([chosen]) => chosen && onChoose(chosen)}
      />
      <div data-drop="into this batch" className="rounded-md border border-dashed border-line-strong">
        {file ? (
          <div className="flex items-center gap-3 px-3 py-2.5">
            <FileSpreadsheet aria-hidden="true" className="size-5 flex-none text-ink-3" />
            <p className="min-w-0 flex-1">
              <span className="block truncate text-sm font-medium">{file.name}</span>
              <span className="block text-sm text-ink-3 tabular-nums">
                {count === 1 ? '1 row' : `${formatNumber(count)} rows`}
              </span>
            </p>
            <Button size="sm" busy={isReading} onClick={() => input.current?.click()}>
              Replace
            </Button>
            <IconButton
              size="sm"
              label="Remove the file"
              icon={<X aria-hidden="true" className="size-4" />}
              onClick={onRemove}
            />
          </div>
        ) : (
          <div className="flex flex-col items-center gap-2 px-4 py-7 text-center">
            <FileSpreadsheet aria-hidden="true" className="size-6 stroke-[1.5] text-ink-3" />
            <p className="text-sm text-ink-2">
              Drop a CSV file, or paste cells of a spreadsheet: a row for each order.
            </p>
            <div className="flex flex-wrap justify-center gap-2">
              <Button busy={isReading} onClick={() => input.current?.click()}>
                Choose a CSV file
              </Button>
              <Button variant="ghost" onClick={saveExampleCsv}>
                Download an example
              </Button>
            </div>
          </div>
        )}
      </div>
      <div role="alert">
        <ErrorText>{problem}</ErrorText>
      </div>
      {file?.guess ? <EncodingNote guess={file.guess} onChange={onEncodingChange} /> : null}
      {file ? (
        <Checkbox checked={hasHeader} onChange={onHeaderChange} label="The first row has the names of the columns" />
      ) : null}
    </div>
  );
}
