import { useState } from 'react';
import type { AddedModel } from '#contract/resources/added-model.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { RelativeTime } from '#web/ui/relative-time.tsx';
import { ChangeList } from './change-list.tsx';

const UpdateDialog = lazyComponent(async () => (await import('./update-dialog.tsx')).UpdateDialog);

/** What keeps a model from being used as it is, the most important first. */
export function ModelNotices({ model }: { model: AddedModel }) {
  const { state, paused_reason, drift } = model;
  const [isUpdating, setIsUpdating] = useState(false);
  const update = (
    <Button size="sm" onClick={() => setIsUpdating(true)}>
      {drift ? 'Update' : 'Check for changes'}
    </Button>
  );
  if (state === 'removed')
    return (
      <Callout title="This model was removed">
        Nobody can use it, and its ID is not used again. Earlier results stay readable.
      </Callout>
    );
  return (
    <>
      {drift ? (
        <Callout
          tone={paused_reason ? 'bad' : 'amber'}
          title={paused_reason ? 'Paused: the form no longer fits' : 'The provider changed this model'}
          action={update}
        >
          <p>
            {paused_reason ?? 'It still works with the form of before.'} Found <RelativeTime at={drift.found_at} />:
          </p>
          <ChangeList changes={drift.changes} />
        </Callout>
      ) : paused_reason ? (
        <Callout tone="bad" title="Paused by the service" action={update}>
          {paused_reason}
        </Callout>
      ) : state === 'draft' ? (
        <Callout title="This is a draft" action={update}>
          Only administrators see it. Test it once, then publish it.
        </Callout>
      ) : state === 'paused' ? (
        <Callout tone="amber" title="This model is paused" action={update}>
          Nobody can start work with it. Running work finishes.
        </Callout>
      ) : (
        <div className="flex justify-end">{update}</div>
      )}
      {isUpdating ? <UpdateDialog model={model} onClose={() => setIsUpdating(false)} fallback={null} /> : null}
    </>
  );
}
