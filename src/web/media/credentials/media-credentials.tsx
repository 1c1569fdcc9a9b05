import { useQuery } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, CircleDashed, CircleQuestionMark, CircleX, Sparkles } from 'lucide-react';
import { AI_LABEL_TEXTS, CREDENTIAL_STATE_LABELS, describeSigner, describeStep } from '#contract/credential-labels.ts';
import type { CredentialReport, CredentialState, CredentialStep } from '#contract/resources/credentials.ts';
import { queryError } from '#web/api/api-errors.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { mediaCredentialsQuery } from '#web/api/queries/credentials.ts';
import { assetSrc } from '#web/api/reference-info.ts';
import { Badge } from '#web/ui/display/badge.tsx';
import { ExactTime } from '#web/ui/display/relative-time.tsx';
import { CredentialsSkeleton } from './credentials-skeleton.tsx';

const STATE_ICONS = {
  valid: { Icon: CircleCheck, color: 'text-good' },
  history_problem: { Icon: CircleAlert, color: 'text-amber-text' },
  changed: { Icon: CircleAlert, color: 'text-bad' },
  invalid: { Icon: CircleX, color: 'text-bad' },
  none: { Icon: CircleDashed, color: 'text-ink-3' },
  too_complex: { Icon: CircleQuestionMark, color: 'text-ink-3' },
} as const satisfies Record<CredentialState, unknown>;

const link = 'text-ink underline underline-offset-2';

/** What the content credentials of a file state, and whether they are valid. */
export function MediaCredentials({ mediaId }: { mediaId: string }) {
  const query = useQuery(mediaCredentialsQuery(mediaId));
  const problem = queryError(query);
  if (problem) return <LoadError what="The content credentials" error={problem} onRetry={() => void query.refetch()} />;
  if (!query.data) return <CredentialsSkeleton />;
  const { report, sidecar_url, record_matches } = query.data;
  const { Icon, color } = STATE_ICONS[report.state];
  return (
    <div className="flex flex-col gap-3 text-sm text-ink-2">
      <p className="flex items-start gap-2 font-medium text-ink">
        <Icon aria-hidden="true" className={`mt-0.5 size-4 flex-none ${color}`} />
        {CREDENTIAL_STATE_LABELS[report.state]}
      </p>
      {report.ai ? (
        <p>
          <Badge icon={<Sparkles aria-hidden="true" />}>{AI_LABEL_TEXTS[report.ai]}</Badge>
        </p>
      ) : null}
      {report.problem ? <p className="wrap-anywhere">{report.problem}</p> : null}
      {record_matches === null ? null : (
        <p className={record_matches ? undefined : 'text-bad'}>
          {record_matches ? 'Matches the record of this generation.' : 'Does not match the record of this generation.'}
        </p>
      )}
      <StepList report={report} />
      <p className="flex flex-wrap gap-x-4 gap-y-1">
        {sidecar_url ? (
          <a href={assetSrc(sidecar_url)} download className={link}>
            Download credentials (.c2pa)
          </a>
        ) : null}
        <a href="/verify" target="_blank" rel="noreferrer" className={link}>
          Public page to check a file
        </a>
      </p>
    </div>
  );
}

function StepList({ report: { steps, has_more_steps } }: { report: CredentialReport }) {
  if (steps.length === 0) return null;
  return (
    <>
      <ol aria-label="History, the newest first" className="flex flex-col border-b border-line">
        {steps.map((step, at) => (
          <Step key={at} step={step} at={at} steps={steps} />
        ))}
      </ol>
      {has_more_steps ? <p className="text-ink-3">Older steps are not listed.</p> : null}
    </>
  );
}

function Step({ step, at, steps }: { step: CredentialStep; at: number; steps: CredentialReport['steps'] }) {
  const { thumbnail, prompt, signed_at } = step;
  const { heading, lines } = describeStep(step, steps);
  return (
    <li className="flex gap-3 border-t border-line py-2.5">
      {thumbnail ? (
        <img src={thumbnail} alt="" className="h-12 w-16 flex-none rounded-sm bg-sunken object-contain" />
      ) : null}
      <div className="min-w-0 flex-1 wrap-anywhere">
        <p dir="auto" className="font-medium text-ink">
          <span className="font-normal text-ink-3">{at + 1}.</span> {heading}
        </p>
        {lines.length > 0 ? (
          <ul>
            {lines.map((line, index) => (
              <li key={index} dir="auto">
                {line}
              </li>
            ))}
          </ul>
        ) : null}
        {prompt === null ? null : <p dir="auto">Prompt: {prompt}</p>}
        <p dir="auto" className="text-xs text-ink-3">
          Signed by {describeSigner(step)}
          {signed_at === null ? (
            ', at an unknown time'
          ) : (
            <>
              , <ExactTime at={signed_at} />
            </>
          )}
        </p>
      </div>
    </li>
  );
}
