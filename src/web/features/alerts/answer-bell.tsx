import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CLIENT_VERDICT_LABELS } from '#web/api/client-answer-labels.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { newestAnswersQuery } from '#web/api/queries/shares.ts';
import { createStoredList } from '#web/api/stored-list.ts';
import { VERDICT_STYLES } from '#web/media/library/answer-badge.tsx';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';
import { Bell, bellItemClass } from './bell.tsx';

/** The newest answer that was looked at, by person: “per_… ans_…”. */
const seenAnswers = createStoredList('emulsion.seen-answers');
const SHOWN = 5;

/** For those who see no alerts: what clients answered on pages that they shared; absent before the first answer. */
export function AnswerBell() {
  const { data: answers } = useQuery(newestAnswersQuery);
  const me = useQuery(meQuery).data;
  const marks = seenAnswers.useItems();
  const owner = me?.person?.id ?? me?.key.id ?? '';
  const mark = marks.find((each) => each.startsWith(`${owner} `));
  const seen = mark?.slice(owner.length + 1) ?? '';
  if (!answers || answers.length === 0) return null;
  const unseen = answers.filter(({ id }) => id > seen).length;
  const rememberSeen = (open: boolean) => {
    const newest = answers[0]?.id;
    if (open || newest === undefined || newest === seen) return;
    if (mark !== undefined) seenAnswers.toggle(mark);
    seenAnswers.toggle(`${owner} ${newest}`);
  };
  return (
    <Bell label="Client answers" state="new" count={String(unseen)} onOpenChange={rememberSeen}>
      {(close) => (
        <>
          <ul className="p-1">
            {answers.slice(0, SHOWN).map(({ id, share_id, client_name, verdict, media_name, comment, created_at }) => {
              const Icon = VERDICT_STYLES[verdict].icon;
              return (
                <li key={id}>
                  <Link to="/library" search={{ link: share_id }} onClick={close} className={bellItemClass}>
                    <Icon aria-hidden="true" className="mt-0.5 size-4 flex-none text-ink-3" />
                    <span className="min-w-0 flex-1">
                      <span className="flex justify-between gap-2">
                        <span className="min-w-0 truncate font-medium">
                          <bdi>{client_name}</bdi>: {CLIENT_VERDICT_LABELS[verdict]}
                        </span>
                        <RelativeTime at={created_at} className="text-xs text-ink-3" />
                      </span>
                      <span dir="auto" className="line-clamp-2 text-ink-2 wrap-anywhere">
                        {comment ?? media_name ?? 'A file'}
                      </span>
                    </span>
                  </Link>
                </li>
              );
            })}
          </ul>
          <div className="border-t border-line p-2">
            <Link to="/library/shares" onClick={close} className={cx(buttonClass({ variant: 'ghost' }), 'w-full')}>
              Shared links
            </Link>
          </div>
        </>
      )}
    </Bell>
  );
}
