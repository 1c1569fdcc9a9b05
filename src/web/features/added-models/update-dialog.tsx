import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AddedModel, ModelComparison } from '#contract/resources/added-model.ts';
import { comparisonQuery, useUpgradeAddedModel } from '#web/api/queries/added-models.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Callout } from '#web/ui/display/callout.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { ErrorText } from '#web/ui/controls/field.tsx';
import { Section } from '#web/ui/display/section.tsx';
import { Loading, SkeletonText } from '#web/ui/display/skeleton.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { ChangeList } from './cards/change-list.tsx';
import { checkSale, type Sale, useConfirmForm } from './cards/confirm-values.ts';
import { FormNotes, FormPreview, useModelForm } from './form-preview.tsx';
import { PriceFields, saleOf, type SaleValues, TaskField } from './price/sale-fields.tsx';

interface UpdateDialogProps {
  model: AddedModel;
  onClose: () => void;
}

/** Compares a model with what its provider has now, and replaces its form by the new one. */
export function UpdateDialog({ model, onClose }: UpdateDialogProps) {
  const comparison = useQuery(comparisonQuery(model.id));
  const { data, error } = comparison;
  const hasChanged = data !== undefined && (data.changes.length > 0 || data.current.hash !== model.hash);
  if (data && hasChanged && !comparison.isFetching)
    return (
      <UpdateForm
        key={data.current.hash}
        model={model}
        comparison={data}
        onCompareAgain={() => void comparison.refetch()}
        onClose={onClose}
      />
    );
  return (
    <Dialog
      open
      size="sm"
      title={`Update ${model.name}`}
      onClose={onClose}
      footer={
        <>
          {error ? (
            <Button variant="primary" busy={comparison.isFetching} onClick={() => void comparison.refetch()}>
              Try again
            </Button>
          ) : null}
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      {error ? (
        <Callout tone="bad" title="The provider’s model can’t be read">
          {error.message} Nothing was changed.
        </Callout>
      ) : data && !comparison.isFetching ? (
        <p>Nothing changed. The provider’s form and price are those of this model.</p>
      ) : (
        <Loading label="Comparing with the provider">
          <SkeletonText lines={3} />
        </Loading>
      )}
    </Dialog>
  );
}

interface UpdateFormProps extends UpdateDialogProps {
  comparison: ModelComparison;
  onCompareAgain: () => void;
}

function UpdateForm({ model, comparison: { changes, current }, onCompareAgain, onClose }: UpdateFormProps) {
  const { contract, hash } = current;
  const upgrade = useUpgradeAddedModel();
  const [values, setValues] = useState(() => saleOf(model));
  const form = useModelForm(model, contract);
  const { container, errors, clearErrors, submit } = useConfirmForm<Sale, HTMLDivElement>(
    checkSale(values, contract),
    async (body) => {
      await upgrade.mutateAsync({ id: model.id, ...body, hash });
      showToast({ title: `${model.name} has the provider’s current form`, tone: 'good' });
      onClose();
    },
    // A price that counts a field which is gone is wrong before anything was pressed.
    { onSchemaChanged: onCompareAgain, showsErrors: true },
  );
  const change = (next: Partial<SaleValues>) => {
    clearErrors();
    setValues({ ...values, ...next });
  };
  return (
    <Dialog
      open
      size="xl"
      title={`Update ${model.name}`}
      description="Earlier results keep the form and the price that they were made with."
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={upgrade.isPending} onClick={() => void submit()}>
            Update form and price
          </Button>
        </>
      }
    >
      <div ref={container} className="flex flex-col gap-6">
        <Section title="What changed">
          <ChangeList changes={changes} />
        </Section>
        <div className="grid gap-6 md:grid-cols-2">
          <Section title="The new form">
            <div className="flex flex-col gap-4">
              <FormPreview form={form} name={model.name} uploadsName={`update-${model.id}`} />
              <FormNotes {...current} />
            </div>
          </Section>
          <Section title="Confirm kind of work and price">
            <div className="flex flex-col gap-4">
              <TaskField value={values.task} error={errors['task']} onChange={(task) => change({ task })} />
              <PriceFields
                contract={contract}
                form={form}
                values={values}
                errors={errors}
                provider={current}
                onChange={change}
              />
              <div role="alert" className="empty:-mt-4">
                <ErrorText>{errors['']}</ErrorText>
              </div>
            </div>
          </Section>
        </div>
      </div>
    </Dialog>
  );
}
