import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { TASKS } from '#contract/catalog.ts';
import { lastModel } from '#web/features/create/last-model.ts';
import { LostChoice } from '#web/features/create/lost-choice.tsx';
import { type Choice, chooseFrom } from '#web/features/create/offer.ts';
import { PrefillStatus } from '#web/features/create/prefill-status.tsx';
import { ResultPanel } from '#web/features/create/result-panel.tsx';
import { Studio } from '#web/features/create/studio.tsx';
import type { Place, SwitchNote } from '#web/features/create/switch-model.ts';
import { useCatalog } from '#web/features/create/use-catalog.ts';
import { usePrefill } from '#web/features/create/use-prefill.ts';
import { TaskPicker } from '#web/features/create/task-picker.tsx';
import { useSession } from '#web/session/session.ts';

const route = getRouteApi('/create/{-$task}/{-$model}');

/** Where things are made: a task, a model, its form, and beside it what came of it. */
export function CreatePage() {
  const params = route.useParams();
  const catalog = useCatalog();
  const signed_in = useSession() === 'signed_in';
  const choice = chooseFrom(params, catalog, lastModel);
  const [note, setNote] = useState<SwitchNote | null>(null);
  const [revision, setRevision] = useState(0);
  const revise = () => setRevision((count) => count + 1);
  const prefill = usePrefill(route.useSearch(), placeOf(params, choice), signed_in, (filled) => {
    setNote(filled);
    revise();
  });
  return (
    <div className="mx-auto grid w-full max-w-[120rem] lg:grid-cols-[minmax(25rem,36rem)_minmax(0,1fr)]">
      <title>{`${choice.kind === 'ready' ? TASKS[choice.task].name : 'Create'} · Emulsion`}</title>
      <div className="flex min-w-0 flex-col gap-5 px-4 pt-5 pb-6 md:px-8 md:pt-7">
        <h1 tabIndex={-1} className="text-xl font-semibold tracking-[-0.015em] outline-none">
          Create
        </h1>
        {prefill.state === 'none' && choice.kind === 'ready' ? (
          <Studio
            choice={choice}
            catalog={catalog}
            signed_in={signed_in}
            note={note}
            onNote={setNote}
            revision={revision}
            onRevise={revise}
          />
        ) : (
          <>
            <TaskPicker task={choice.task} catalog={catalog} />
            {choice.kind === 'lost' ? (
              <LostChoice choice={choice} />
            ) : (
              <PrefillStatus prefill={prefill} signed_in={signed_in} />
            )}
          </>
        )}
      </div>
      <ResultPanel signed_in={signed_in} />
    </div>
  );
}

/** The place that an address names in full or in part; null where it leaves all of it open. */
function placeOf(params: { task?: string | undefined; model?: string | undefined }, choice: Choice): Place | null {
  return params.task && choice.kind === 'ready' ? { task: choice.task, model: choice.model } : null;
}
