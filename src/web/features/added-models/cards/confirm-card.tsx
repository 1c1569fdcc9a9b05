import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ModelInspection, ModelSource } from '#contract/resources/added-model.ts';
import { useCreateAddedModel } from '#web/api/queries/added-models.ts';
import { writeDraft } from '#web/forms/values/drafts.ts';
import type { InputForm } from '#web/forms/values/input-form.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Callout } from '#web/ui/display/callout.tsx';
import { Card } from '#web/ui/display/card.tsx';
import { ErrorText, Field } from '#web/ui/controls/field.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { type ConfirmedValues, suggestedValues } from '#web/features/added-models/add-draft.ts';
import { checkConfirmed, useConfirmForm } from './confirm-values.ts';
import { PriceFields, TaskField } from '#web/features/added-models/price/sale-fields.tsx';

interface ConfirmCardProps {
  inspection: ModelInspection;
  source: ModelSource;
  form: InputForm;
  /** What was changed by hand. */
  confirmed: Partial<ConfirmedValues>;
  onConfirmed: (confirmed: Partial<ConfirmedValues>) => void;
  onInspectAgain: () => void;
  onAdded: () => void;
}

/** Confirms what a model is called, does and costs, and adds it as a draft. */
export function ConfirmCard(props: ConfirmCardProps) {
  const { inspection, source, form, confirmed, onConfirmed, onInspectAgain, onAdded } = props;
  const { contract, hash } = inspection;
  const create = useCreateAddedModel();
  const navigate = useNavigate();
  const [isChanged, setIsChanged] = useState(false);
  const values = { ...suggestedValues(inspection), ...confirmed };
  const { container, errors, clearErrors, submit } = useConfirmForm(
    checkConfirmed(values, contract),
    async (body) => {
      setIsChanged(false);
      const { id, name, task } = await create.mutateAsync({ ...source, ...body, hash });
      // The test starts with what was typed here.
      writeDraft(task, id, form.values());
      onAdded();
      showToast({ title: `${name} is added as a draft`, detail: 'Test it, then publish it.', tone: 'good' });
      void navigate({ to: '/added-models/$modelId', params: { modelId: id } });
    },
    {
      onSchemaChanged: () => {
        setIsChanged(true);
        onInspectAgain();
      },
    },
  );
  const change = (next: Partial<ConfirmedValues>) => {
    clearErrors();
    onConfirmed({ ...confirmed, ...next });
  };
  return (
    <Card title="Name and price">
      <form
        ref={container}
        noValidate
        aria-label="Name and price"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {isChanged ? (
          <Callout tone="amber" title="The provider changed this model">
            The form beside is the new one. What you entered is kept: check it, and add the model again.
          </Callout>
        ) : null}
        <Field label="Name" required error={errors['name']}>
          <TextInput
            autoComplete="off"
            maxLength={60}
            value={values.name}
            onChange={(event) => change({ name: event.target.value })}
          />
        </Field>
        <Field label="Best for" optional hint="One line, shown under the name." error={errors['description']}>
          <TextInput
            autoComplete="off"
            maxLength={160}
            value={values.description}
            onChange={(event) => change({ description: event.target.value })}
          />
        </Field>
        <TaskField value={values.task} error={errors['task']} onChange={(task) => change({ task })} />
        <div className="border-t border-line pt-4">
          <PriceFields
            contract={contract}
            form={form}
            values={values}
            errors={errors}
            provider={{ ...inspection, price_problem: inspection.suggested.price_problem }}
            onChange={change}
          />
        </div>
        <div role="alert" className="empty:-mt-4">
          <ErrorText>{errors['']}</ErrorText>
        </div>
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" variant="primary" busy={create.isPending}>
            Add as draft
          </Button>
          <p className="text-sm text-ink-3">Nobody else sees a draft.</p>
        </div>
      </form>
    </Card>
  );
}
