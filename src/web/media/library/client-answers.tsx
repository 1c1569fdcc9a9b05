import type { ClientAnswer } from '#contract/resources/media.ts';
import { Badge } from '#web/ui/display/badge.tsx';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';
import { VERDICT_STYLES } from './answer-badge.tsx';
import { CLIENT_VERDICT_LABELS } from '#web/api/client-answer-labels.ts';

export function ClientAnswers({ answers }: { answers: readonly ClientAnswer[] }) {
  return (
    <ul className="flex flex-col gap-3">
      {answers.map(({ id, verdict, client_name, comment, created_at }) => {
        const { icon: Icon, tone } = VERDICT_STYLES[verdict];
        return (
          <li key={id} className="flex flex-col items-start gap-1 text-sm">
            <span className="flex max-w-full flex-wrap items-center gap-x-2 gap-y-1">
              <Badge tone={tone} icon={<Icon aria-hidden="true" />}>
                {CLIENT_VERDICT_LABELS[verdict]}
              </Badge>
              <span dir="auto" className="min-w-0 wrap-anywhere">
                <bdi>{client_name}</bdi>
              </span>
              <span className="text-ink-3">
                <RelativeTime at={created_at} />
              </span>
            </span>
            {comment ? (
              <p dir="auto" className="wrap-anywhere whitespace-pre-wrap text-ink-2">
                {comment}
              </p>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}
