import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowRight, CircleCheck, Circle } from 'lucide-react';
import { useEffect } from 'react';
import { createStoredList } from '#web/api/stored-list.ts';
import { passkeysQuery, signInMethodsQuery } from '#web/api/queries/account.ts';
import { hasPasskeySupport } from '#web/api/session/passkeys.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { cx } from '#web/ui/cx.ts';

/** Ids of the people of this browser who are through with it. */
const finishedPeople = createStoredList('emulsion.first-steps');

interface FirstStepsProps {
  /** Whether no model is run by a provider. */
  previewsOnly: boolean;
  hasResults: boolean;
}

/** undefined: unknown, or this browser or address has none. */
function useHasPasskeys(isAsked: boolean): boolean | undefined {
  const isPossible =
    useQuery({ ...signInMethodsQuery, enabled: isAsked }).data?.passkey === true && hasPasskeySupport();
  const passkeys = useQuery({ ...passkeysQuery, enabled: isAsked && isPossible }).data;
  return isPossible && passkeys ? passkeys.length > 0 : undefined;
}

/** What a new person does first, until all of it is done or skipped. */
export function FirstSteps({ previewsOnly, hasResults }: FirstStepsProps) {
  const me = useQuery(meQuery).data;
  const finished = finishedPeople.useItems();
  const { person } = me ?? {};
  const id = person?.id ?? me?.key.id;
  const hasPasskeys = useHasPasskeys(person?.role === 'administrator');
  const canConnect = me?.providers !== undefined;
  const steps = [
    ...(person?.role === 'administrator' && hasPasskeys !== undefined
      ? [{ label: 'Add a passkey, so that you can sign in again', to: '/account', done: hasPasskeys }]
      : []),
    ...(person?.role === 'administrator'
      ? [{ label: 'Add your name and mail address', to: '/account', done: !!(person.email ?? person.pending_email) }]
      : []),
    ...(canConnect
      ? [{ label: 'Connect a provider', to: '/providers', done: !previewsOnly || (me.providers?.connected ?? 0) > 0 }]
      : []),
    { label: 'Write a prompt and generate', to: null, done: hasResults },
  ] as const;
  const isDone = me !== undefined && steps.every(({ done }) => done);
  const isShown = id !== undefined && !finished.includes(id);
  useEffect(() => {
    if (isDone && isShown) finishedPeople.toggle(id);
  }, [isDone, isShown, id]);
  if (!isShown || isDone) return null;
  return (
    <section
      aria-labelledby="first-steps"
      className="mb-4 rounded-md border border-line bg-surface px-3 py-2.5 text-sm"
    >
      <div className="flex items-center justify-between gap-2">
        <h2 id="first-steps" className="font-semibold">
          First steps
        </h2>
        <Button size="sm" variant="ghost" onClick={() => finishedPeople.toggle(id)}>
          Skip
        </Button>
      </div>
      <ol>
        {steps.map(({ label, to, done }) => (
          <li
            key={label}
            className={cx(
              'flex min-h-7 items-center gap-2 [&>svg]:size-4 [&>svg]:flex-none',
              done ? 'text-ink-3' : 'text-ink-2',
            )}
          >
            {done ? (
              <CircleCheck aria-hidden="true" className="text-good" />
            ) : (
              <Circle aria-hidden="true" className="text-ink-3" />
            )}
            {to && !done ? (
              <Link to={to} className="flex items-center gap-1 font-medium text-ink underline-offset-2 hover:underline">
                {label}
                <ArrowRight aria-hidden="true" className="size-3.5" />
              </Link>
            ) : (
              label
            )}
            {done ? <span className="sr-only">: done</span> : null}
          </li>
        ))}
      </ol>
      {previewsOnly ? (
        <p className="mt-1 text-ink-3">
          Until {canConnect ? 'a provider is connected' : 'your administrator connects a provider'}, results are
          previews: examples drawn on this machine, not made by an AI model.
        </p>
      ) : null}
    </section>
  );
}
