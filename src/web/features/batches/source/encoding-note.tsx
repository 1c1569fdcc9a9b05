import { Field } from '#web/ui/controls/field.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { type GuessedEncoding, LEGACY_ENCODINGS, type LegacyEncoding } from '#contract/decode-text.ts';
import type { EncodingGuess } from '../rows/read-csv.ts';

const isLegacy = (encoding: GuessedEncoding): encoding is LegacyEncoding => Object.hasOwn(LEGACY_ENCODINGS, encoding);
const OPTIONS = (Object.keys(LEGACY_ENCODINGS) as LegacyEncoding[]).map((value) => ({
  value,
  label: LEGACY_ENCODINGS[value],
}));

interface EncodingNoteProps {
  guess: EncodingGuess;
  onChange: (encoding: LegacyEncoding) => void;
}

/** Shows how a file that does not name its encoding was read, by a row whose letters depend on it. */
export function EncodingNote({ guess: { encoding, sample }, onChange }: EncodingNoteProps) {
  const preview = sample === null ? null : `“${sample}”`;
  if (!isLegacy(encoding))
    return preview === null ? null : <p className="text-sm wrap-anywhere text-ink-2">Read as UTF-16: {preview}</p>;
  return (
    <Field
      label="Encoding"
      hint={preview === null ? undefined : `If the letters are wrong, choose another: ${preview}`}
    >
      <Select value={encoding} options={OPTIONS} onChange={onChange} />
    </Field>
  );
}
