import { CircleAlert, CircleCheck, CircleHelp, ScanSearch } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Callout } from '#web/ui/display/callout.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import {
  type SignatureFinding,
  isSignatureAccepted,
  type SignaturePart,
  SIGNATURE_PARTS,
  type SignatureVerdict,
} from './check-signature.ts';

const PART_LABELS = { header: 'Header', clock: 'Clock', secret: 'Secret', body: 'Body' } satisfies Record<
  SignaturePart,
  string
>;

const STATE_STYLES = {
  good: { icon: <CircleCheck aria-hidden="true" className="text-good" />, word: 'Valid' },
  bad: { icon: <CircleAlert aria-hidden="true" className="text-bad" />, word: 'Invalid' },
  unknown: { icon: <CircleHelp aria-hidden="true" className="text-ink-3" />, word: 'Not checked' },
} satisfies Record<SignatureFinding['state'], { icon: ReactNode; word: string }>;

export function SignatureVerdictView({ verdict }: { verdict: SignatureVerdict | undefined }) {
  const result = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone the result is below the form.
    if (verdict) result.current?.scrollIntoView({ block: 'nearest' });
  }, [verdict]);
  return (
    <section ref={result} aria-label="Result" aria-live="polite" className="min-w-0">
      {verdict ? (
        <VerdictDetails verdict={verdict} />
      ) : (
        <EmptyState icon={<ScanSearch aria-hidden="true" />} title="No result yet">
          Paste a delivery that your receiver got to check whether it is genuine and which part is invalid.
        </EmptyState>
      )}
    </section>
  );
}

function VerdictDetails({ verdict }: { verdict: SignatureVerdict }) {
  const accepted = isSignatureAccepted(verdict);
  const wrong = SIGNATURE_PARTS.filter((part) => verdict[part].state === 'bad').map((part) =>
    PART_LABELS[part].toLowerCase(),
  );
  const mismatch =
    verdict.header.state === 'good' && verdict.secret.state === 'unknown' && verdict.body.state === 'unknown';
  return (
    <>
      {accepted ? (
        <Callout tone="good" title="Valid: a receiver would accept this" />
      ) : (
        <Callout tone="bad" title="A receiver would reject this">
          {[
            ...(wrong.length > 0 ? [`Invalid: ${wrong.join(', ')}.`] : []),
            ...(mismatch ? ['The body does not match the secret.'] : []),
          ].join(' ')}
        </Callout>
      )}
      <dl className="mt-4 divide-y divide-line rounded-md border border-line bg-surface">
        {SIGNATURE_PARTS.map((part) => (
          <FindingRow key={part} name={PART_LABELS[part]} finding={verdict[part]} />
        ))}
      </dl>
    </>
  );
}

function FindingRow({ name, finding: { state, sentence, expected } }: { name: string; finding: SignatureFinding }) {
  const { icon, word } = STATE_STYLES[state];
  return (
    <div className="grid grid-cols-[5rem_minmax(0,1fr)] gap-x-3 px-4 py-3 text-sm">
      <dt className="font-medium">{name}</dt>
      <dd className="min-w-0">
        <span className="flex gap-2">
          <span className="flex h-5 flex-none items-center [&>svg]:size-4">{icon}</span>
          <span className="min-w-0 wrap-anywhere">
            <span className="sr-only">{word}. </span>
            {sentence}
          </span>
        </span>
        {expected ? <span className="mt-1 block pl-6 text-ink-3 wrap-anywhere">Expected: {expected}</span> : null}
      </dd>
    </div>
  );
}
