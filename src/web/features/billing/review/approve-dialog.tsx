import { useEffect, useState, useId } from 'react';
import { useController } from 'react-hook-form';
import { formatMoney } from '#contract/money/money.ts';
import { TASKS } from '#contract/catalog.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { useDialogForm } from '#web/forms/form-dialog.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { Callout } from '#web/ui/display/callout.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import {
  approvalConsequences,
  isMissingData,
  MISSING_DATA_MESSAGE,
  unusableOutputReason,
} from './decision-consequences.ts';
import { summarizeInput } from '#web/forms/inputs/describe-input.ts';
import { DecisionDialog, type DecisionValues, EMPTY_DECISION } from './decision-dialog.tsx';
import { ResultFiles } from './result-files.tsx';
import { type DecisionProps, useDecision } from './use-decision.ts';
import { useResultFiles } from './use-result-files.ts';
import type { Review } from '#contract/resources/review.ts';
import { cx } from '#web/ui/cx.ts';
import { Field } from '#web/ui/controls/field.tsx';

const TITLE = 'Approve this generation?';

export function ApproveDialog(props: DecisionProps) {
  const { generation, review, onClose } = props;
  const { task } = generation;
  const unusableReason = unusableOutputReason(generation, review);
  const [uploading, setUploading] = useState(unusableReason !== null);
  const files = useResultFiles();
  const form = useDialogForm<DecisionValues>(EMPTY_DECISION);
  const decide = useDecision(props);
  const { min_assets, max_assets } = TASKS[task].output;
  const { field, fieldState } = useController({
    control: form.control,
    name: 'upload_ids',
    rules: {
      validate: (ids) => {
        if (!uploading) return true;
        if (files.pendingCount > 0) return 'Wait for the upload to finish.';
        return ids.length >= Math.max(1, min_assets) || 'Upload the result file.';
      },
    },
  });
  const { onChange: setUploadIds } = field;
  useEffect(() => {
    setUploadIds(files.uploads.map(({ id }) => id));
  }, [files.uploads, setUploadIds]);
  if (isMissingData(generation, review.output.data)) return <NothingToApprove {...props} />;
  return (
    <DecisionDialog
      form={form}
      title={TITLE}
      generation={generation}
      submitLabel={`Approve · ${formatMoney(review.charge_usd)}`}
      placeholder="Found at the provider and matches the request"
      consequences={approvalConsequences(generation, review, uploading ? files.uploads.length : null)}
      onSubmit={({ note, upload_ids }) =>
        decide({ decision: 'approve', note: note.trim(), ...(uploading ? { upload_ids } : {}) })
      }
      onClose={onClose}
    >
      {max_assets === 0 ? null : (
        <ResultChoice review={review} unusableReason={unusableReason} uploading={uploading} onChange={setUploading} />
      )}
      {uploading ? (
        <ResultFiles
          files={files}
          media={TASKS[task].media_type}
          maxCount={max_assets}
          problem={fieldState.error?.message}
        />
      ) : null}
    </DecisionDialog>
  );
}

function NothingToApprove({ generation, onClose }: Pick<DecisionProps, 'generation' | 'onClose'>) {
  const names = useCatalogNames();
  return (
    <Dialog
      open
      title={TITLE}
      description={summarizeInput(generation, names)}
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <Callout tone="amber" title="Nothing to approve">
        {MISSING_DATA_MESSAGE}
      </Callout>
    </Dialog>
  );
}

interface ResultChoiceProps {
  review: Review;
  /** Why the received files cannot be the result; null if they can. */
  unusableReason: string | null;
  uploading: boolean;
  onChange: (uploading: boolean) => void;
}

function ResultChoice({ review: { output }, unusableReason, uploading, onChange }: ResultChoiceProps) {
  const name = useId();
  const count = output.assets.length + (output.files?.length ?? 0);
  const options = [
    {
      value: false,
      label: count === 1 ? 'Received file' : count > 1 ? `${count} received files` : 'Received result',
      sentence: unusableReason ?? (output.files ? 'Kept as they were received.' : 'As shown in the review.'),
    },
    { value: true, label: 'Upload files', sentence: 'For example, from the provider’s site.' },
  ];
  return (
    <Field label="Result" group>
      <div role="radiogroup" aria-label="Result" className="flex flex-col gap-2">
        {options.map(({ value, label, sentence }) => {
          const disabled = !value && unusableReason !== null;
          return (
            <label
              key={label}
              className={cx(
                'flex gap-3 rounded-md border border-line-strong px-3 py-2.5 transition-colors has-checked:border-amber has-checked:bg-amber-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
                disabled ? 'border-dashed text-ink-3' : 'hover:bg-hover',
              )}
            >
              <input
                type="radio"
                name={name}
                aria-labelledby={`${name}-${value}`}
                aria-describedby={`${name}-${value}-about`}
                disabled={disabled}
                checked={value === uploading}
                onChange={() => onChange(value)}
                className="mt-0.5 size-4 flex-none accent-(--amber) outline-none"
              />
              <span>
                <span id={`${name}-${value}`} className="block font-medium">
                  {label}
                </span>
                <span
                  id={`${name}-${value}-about`}
                  className={cx('block text-sm', disabled ? 'text-ink-3' : 'text-ink-2')}
                >
                  {sentence}
                </span>
              </span>
            </label>
          );
        })}
      </div>
    </Field>
  );
}
