import { useState } from 'react';
import type { UseFormRegisterReturn, UseFormReturn } from 'react-hook-form';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { ApiKey, KeyScopes } from '#contract/resources/api-key.ts';
import type { KeyKind } from '#contract/permissions.ts';
import { useModelName } from '#web/api/model-names.ts';
import { TASKS } from '#contract/catalog.ts';
import { knownModels, knownTasks } from '#web/api/known-models.ts';
import { startOfLocalDay, toLocalDay } from '#web/ui/controls/days.ts';
import { Disclosure } from '#web/ui/controls/disclosure.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';

const NAME_MAX_LENGTH = 80;

interface RestrictionValues {
  read_only: boolean;
  /** Empty: all. */
  tasks: TaskId[];
  /** Empty: all. */
  models: AnyModelId[];
  /** A local day, at the end of which the key expires; empty: never. */
  expires_at: string;
}

/** The expiry is the midnight after the day that was chosen; people read the day. */
export const lastValidTime = (expiresAt: string): string => new Date(Date.parse(expiresAt) - 1).toISOString();

export const restrictionValues = ({
  scopes,
  expires_at,
}: Pick<ApiKey, 'scopes' | 'expires_at'>): RestrictionValues => ({
  read_only: scopes?.read_only ?? false,
  tasks: scopes?.tasks ?? [],
  models: scopes?.models ?? [],
  expires_at: expires_at === null ? '' : toLocalDay(new Date(lastValidTime(expires_at))),
});

export function toRestrictions({ read_only, tasks, models, expires_at }: RestrictionValues): {
  scopes: KeyScopes | null;
  expires_at: string | null;
} {
  const isLimited = read_only || tasks.length > 0 || models.length > 0;
  const scopes = { read_only, tasks: tasks.length > 0 ? tasks : null, models: models.length > 0 ? models : null };
  return {
    scopes: isLimited ? scopes : null,
    expires_at: startOfLocalDay(expires_at, 1)?.toISOString() ?? null,
  };
}

/** The fields of a key, new or existing. */
export interface KeyFormValues extends RestrictionValues {
  name: string;
  kind: KeyKind;
  owner: 'me' | 'program';
}

/** Fields for the scopes and the expiry of a key. @param onlyReads the role of its person allows no more */
export function KeyRestrictions({ form, onlyReads }: { form: UseFormReturn<KeyFormValues>; onlyReads: boolean }) {
  const { register, formState } = form;
  const [today] = useState(() => toLocalDay(new Date()));
  const modelName = useModelName();
  const tasks = form.watch('tasks');
  const models = form.watch('models');
  return (
    <>
      <Field
        label="Expires"
        hint="At the end of this day; empty for never. A key that expires can’t manage keys or people."
        error={formState.errors.expires_at?.message}
      >
        <TextInput type="date" min={today} {...register('expires_at')} className="max-w-48" />
      </Field>
      {onlyReads ? null : (
        <>
          <label className="flex items-start gap-2.5">
            <input type="checkbox" {...register('read_only')} className="tick mt-px" />
            <span className="text-sm font-medium">Read-only: it cannot generate, change or delete anything</span>
          </label>
          <div>
            <p className="mb-1 text-sm text-ink-2">
              A key limited to tasks or models changes only what it created itself, and manages nothing.
            </p>
            <Disclosure summary="Tasks" aside={<LimitCount of={tasks} />}>
              <CheckList
                options={knownTasks().map((id) => ({ id, label: TASKS[id].name }))}
                register={register('tasks')}
              />
            </Disclosure>
            <Disclosure summary="Models" aside={<LimitCount of={models} />}>
              <CheckList
                options={knownModels().map((id) => ({ id, label: modelName(id) }))}
                register={register('models')}
              />
            </Disclosure>
          </div>
        </>
      )}
    </>
  );
}

/** What a key is called. */
export function KeyNameField({ form: { register, formState } }: { form: UseFormReturn<KeyFormValues> }) {
  return (
    <Field
      label="Name"
      hint="The person or program that uses this key. Shown next to everything it creates."
      error={formState.errors.name?.message}
    >
      <TextInput
        {...register('name', { validate: (name) => name.trim() !== '' || 'Enter a name.' })}
        maxLength={NAME_MAX_LENGTH}
        autoComplete="off"
        placeholder="Ana, or blog import"
      />
    </Field>
  );
}

const LimitCount = ({ of }: { of: readonly string[] }) => (
  <span className="text-sm font-normal text-ink-3">{of.length === 0 ? 'All' : `${of.length} chosen`}</span>
);

interface CheckListProps {
  options: readonly { id: string; label: string }[];
  register: UseFormRegisterReturn;
}

const CheckList = ({ options, register }: CheckListProps) => (
  <div className="grid gap-x-4 gap-y-1.5 sm:grid-cols-2">
    {options.map(({ id, label }) => (
      <label key={id} className="flex min-h-6 items-start gap-2.5 pointer-coarse:min-h-11 pointer-coarse:items-center">
        <input type="checkbox" value={id} {...register} className="tick mt-px" />
        <span className="min-w-0 text-sm">{label}</span>
      </label>
    ))}
  </div>
);
