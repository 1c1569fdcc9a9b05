import { Link } from '@tanstack/react-router';
import { ListStates } from '#web/api/list-states.tsx';
import { useShareAnswers } from '#web/api/queries/shares.ts';
import type { Share, ShareAnswer } from '#contract/resources/share.ts';
import { ClientAnswers } from '#web/media/library/client-answers.tsx';
import { formatAnswers } from '#web/media/shares/share-labels.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';

/** What clients answered on one page, by file. */
export function ShareAnswersDialog({ share, onClose }: { share: Share; onClose: () => void }) {
  const list = useShareAnswers(share.id);
  const answers = Map.groupBy(list.rows, ({ media_id }) => media_id);
  return (
    <Dialog
      open
      title={share.title ?? share.name ?? 'Answers'}
      description={`${formatAnswers(share.answer_count)}, the latest first.`}
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <ListStates
        list={list}
        what="Answers"
        older="Older answers"
        loading={
          <Loading label="Loading answers">
            <Skeleton className="h-16 w-full" />
          </Loading>
        }
        empty={<p className="text-ink-2">Every answer was taken back.</p>}
      >
        <ul aria-label="Answers" className="flex flex-col divide-y divide-line">
          {[...answers].map(([id, each]) => (
            <li key={id} className="flex flex-col gap-2 py-3">
              <AnsweredFile answer={each[0]} />
              <ClientAnswers answers={each} />
            </li>
          ))}
        </ul>
        {list.hasMore ? (
          <Button className="mt-3 self-start" onClick={list.loadMore}>
            Show more
          </Button>
        ) : null}
      </ListStates>
    </Dialog>
  );
}

function AnsweredFile({ answer }: { answer: ShareAnswer | undefined }) {
  if (!answer?.media_name) return <p className="text-sm text-ink-3">Deleted file</p>;
  return (
    <Link
      to="/library"
      search={{ item: answer.media_id }}
      dir="auto"
      className="min-w-0 self-start rounded-sm text-sm font-medium wrap-anywhere hover:underline"
    >
      {answer.media_name}
    </Link>
  );
}
