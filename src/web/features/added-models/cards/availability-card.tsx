import { useQuery } from '@tanstack/react-query';
import { Pause, Rocket } from 'lucide-react';
import { ROLES } from '#contract/permissions.ts';
import type { AddedModel } from '#contract/resources/added-model.ts';
import type { Tag } from '#contract/resources/tag.ts';
import { useUpdateAddedModel } from '#web/api/queries/added-models.ts';
import { tagsQuery } from '#web/api/queries/settings.ts';
import { ROLE_LABELS } from '#web/api/role-labels.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/display/card.tsx';
import { Checkbox } from '#web/ui/controls/checkbox.tsx';
import { ErrorText, Field } from '#web/ui/controls/field.tsx';
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { type AudienceValues, toAudience, toAudienceValues } from '#web/features/added-models/audience.ts';
import { edits, useEdit } from '#web/features/added-models/edits.ts';

/** Publishes a model for everybody or for some people, and pauses it. */
export function AvailabilityCard({ model }: { model: AddedModel }) {
  const { id, name, state, tests } = model;
  const update = useUpdateAddedModel();
  const editKey = `${id} audience`;
  const [values, setValues] = useEdit(editKey, () => toAudienceValues(model.audience));
  const audience = toAudience(values);
  const isPublished = state === 'published';
  // The service stores objects with their keys in another order.
  const isChanged = JSON.stringify(audience) !== JSON.stringify(toAudience(toAudienceValues(model.audience)));
  const isTested = tests.some(({ status }) => status === 'succeeded');
  const save = (next: 'published' | 'paused' | undefined, title: string) =>
    update.mutate(
      { id, ...(next ? { state: next } : {}), ...(audience && next !== 'paused' ? { audience } : {}) },
      {
        onSuccess: () => {
          if (next !== 'paused') edits.delete(editKey);
          showToast({ title, tone: 'good' });
        },
      },
    );
  return (
    <Card
      title="Availability"
      footer={
        <>
          {isPublished ? (
            <>
              <Button
                variant={isChanged ? 'primary' : 'secondary'}
                disabled={!isChanged || audience === null}
                busy={update.isPending}
                onClick={() => save(undefined, 'The availability is changed')}
              >
                Save availability
              </Button>
              <Button
                icon={<Pause aria-hidden="true" className="size-4" />}
                busy={update.isPending}
                onClick={() => save('paused', `${name} is paused`)}
              >
                Pause
              </Button>
            </>
          ) : (
            <Button
              variant={isTested || state === 'paused' ? 'primary' : 'secondary'}
              icon={<Rocket aria-hidden="true" className="size-4" />}
              disabled={audience === null}
              busy={update.isPending}
              onClick={() => save('published', `${name} is published`)}
            >
              Publish
            </Button>
          )}
          {isTested || isPublished ? null : <p className="text-sm text-ink-3">Not tested yet.</p>}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <SegmentedControl
          label="For whom"
          value={values.isLimited ? 'some' : 'all'}
          options={[
            { value: 'all', label: 'Everybody' },
            { value: 'some', label: 'Some people' },
          ]}
          onChange={(next) => setValues({ ...values, isLimited: next === 'some' })}
        />
        {values.isLimited ? <AudienceFields values={values} onChange={setValues} /> : null}
        <div role="alert" className="empty:-mt-4">
          <ErrorText>
            {values.isLimited && audience === null ? 'Choose at least one role.' : update.error?.message}
          </ErrorText>
        </div>
      </div>
    </Card>
  );
}

interface AudienceFieldsProps {
  values: AudienceValues;
  onChange: (values: AudienceValues) => void;
}

function AudienceFields({ values, onChange }: AudienceFieldsProps) {
  const { data: tags = [] } = useQuery(tagsQuery);
  const { roles } = values;
  const setTag = (name: string, value: string) =>
    onChange({
      ...values,
      tags: [...values.tags.filter((tag) => tag.name !== name), ...(value === '' ? [] : [{ name, value }])],
    });
  return (
    <>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1.5 text-sm font-medium">Roles</legend>
        {ROLES.map((role) => (
          <Checkbox
            key={role}
            label={ROLE_LABELS[role].label}
            checked={roles.includes(role)}
            onChange={(isOn) =>
              onChange({ ...values, roles: isOn ? [...roles, role] : roles.filter((each) => each !== role) })
            }
          />
        ))}
      </fieldset>
      {tags.map((tag) => (
        <TagCondition
          key={tag.name}
          tag={tag}
          value={values.tags.find(({ name }) => name === tag.name)?.value ?? ''}
          onChange={(value) => setTag(tag.name, value)}
        />
      ))}
    </>
  );
}

interface TagConditionProps {
  tag: Tag;
  value: string;
  onChange: (value: string) => void;
}

const TagCondition = ({ tag: { label, values }, value, onChange }: TagConditionProps) => (
  <Field label={`Only work with ${label}`} optional>
    {values ? (
      <Select
        value={value}
        options={[{ value: '', label: 'Any' }, ...values.map((each) => ({ value: each, label: each }))]}
        onChange={onChange}
      />
    ) : (
      <TextInput maxLength={64} value={value} placeholder="Any" onChange={(event) => onChange(event.target.value)} />
    )}
  </Field>
);
