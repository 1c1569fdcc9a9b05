import type { AddedModel } from '#contract/resources/added-model.ts';
import { Callout } from '#web/ui/display/callout.tsx';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';
import { ChangeList } from './cards/change-list.tsx';
import { UpdateButton } from './update-button.tsx';

/** What keeps a model from being used as it is, the most important first. */
export function ModelNotice({ model }: { model: AddedModel }) {
  const { state, paused_reason, drift } = model;
  if (state === 'removed')
    return (
      <Callout title="This model was removed">
        Nobody can use it, and its ID is not used again. Earlier results stay readable.
      </Callout>
    );
  if (drift)
    return (
      <Callout
        tone={paused_reason ? 'bad' : 'amber'}
        title={paused_reason ? 'Paused: the form no longer fits' : 'The provider changed this model'}
        action={<UpdateButton model={model} label="Update" />}
      >
        <p>
          {paused_reason ?? 'It still works with its form.'} Found <RelativeTime at={drift.found_at} />:
        </p>
        <ChangeList changes={drift.changes} />
      </Callout>
    );
  if (paused_reason)
    return (
      <Callout tone="bad" title="Paused by the service" action={<UpdateButton model={model} label="Update" />}>
        {paused_reason}
      </Callout>
    );
  if (state === 'draft')
    return <Callout title="This is a draft">Only administrators see it. Test it once, then publish it.</Callout>;
  if (state === 'paused')
    return (
      <Callout tone="amber" title="This model is paused">
        Nobody can start work with it. Running work finishes.
      </Callout>
    );
  return null;
}
