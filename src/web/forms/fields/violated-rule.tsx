import { useEffect, useRef, type ReactNode } from 'react';
import { TriangleAlert } from 'lucide-react';
import type { FieldSpec, InputContract, MediaKind, Rule } from '#contract/task.ts';
import { formatReferenceCount, formatFieldValue } from '#web/forms/values/format-field-value.ts';
import { useTaskForm, useFormValue } from '../form-context.ts';
import { readReferences } from '#web/forms/values/form-values.ts';
import { sortByNearness } from '#web/forms/models/compare-options.ts';
import { findRepair, findViolatedRule } from '#web/forms/values/rule-repair.ts';
import { MEDIA_NOUNS } from '#web/media/format-media.ts';
import { Button } from '#web/ui/controls/button.tsx';

/** Shows a rule that the field's value violates, with a button that repairs it. */
export function ViolatedRule({ field, rule }: { field: FieldSpec; rule: Rule }) {
  const { form } = useTaskForm();
  const value = form.values()[field.name];
  const items = readReferences(value);
  if ('max_items' in rule) {
    const excess = items.length - rule.max_items;
    const media = 'media' in field ? field.media : 'image';
    return (
      <Notice
        reason={rule.message}
        action={removeLabel(media, excess, rule.max_items === 0)}
        onPress={() => form.setValue(field.name, items.slice(0, rule.max_items))}
      />
    );
  }
  if (field.kind === 'reference')
    return (
      <Notice
        reason={rule.message}
        action={removeLabel(field.media, 1, true)}
        onPress={() => form.setValue(field.name, null)}
      />
    );
  const [nearest] = sortByNearness(rule.allow, value);
  return (
    <Notice
      reason={rule.message}
      action={`Switch to ${formatFieldValue(field, nearest)}`}
      onPress={() => form.setValue(field.name, nearest ?? null)}
    />
  );
}

function removeLabel(media: MediaKind, count: number, all: boolean): string {
  const noun = count === 1 ? MEDIA_NOUNS[media][0] : formatReferenceCount(media, count);
  if (all) return count === 1 ? `Remove the ${noun}` : `Remove ${noun}`;
  return `Remove the last ${noun}`;
}

/** Shows why a value is not available now, with a button that changes the other fields so that it is. */
export function RuleRepair({ field, value, onDone }: { field: FieldSpec; value: unknown; onDone: () => void }) {
  const { form } = useTaskForm();
  const values = useFormValue((all) => all);
  const rule = findViolatedRule(form.contract, values, field.name, value);
  const repair = findRepair(form.contract, values, field.name, value);
  if (!rule) return null;
  if (!repair) return <Notice reason={rule.message} />;
  return (
    <Notice
      reason={rule.message}
      action={`Use ${formatFieldValue(field, value)} with ${formatChanges(form.contract, repair)}`}
      onPress={() => {
        form.setValues({ ...repair, [field.name]: value });
        onDone();
      }}
    />
  );
}

function formatChanges(contract: InputContract, repair: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(repair).flatMap(([name, value]) => {
    const field = contract.fields.find((each) => each.name === name);
    if (!field) return [];
    const label = field.label.toLowerCase();
    return value === null || (Array.isArray(value) && value.length === 0)
      ? [`no ${label}`]
      : [`${label} ${formatFieldValue(field, value)}`];
  });
  return parts.join(' and ');
}

function Notice({ reason, action, onPress }: { reason: ReactNode; action?: string; onPress?: () => void }) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Some browsers return a promise, which an effect must not return.
    void container.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div
      ref={container}
      aria-live="polite"
      className="flex scroll-mb-40 flex-wrap items-center gap-x-3 gap-y-2 rounded-md bg-amber-soft px-3 py-2 text-sm"
    >
      <p className="flex min-w-48 flex-1 gap-2">
        <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 flex-none text-amber-text" />
        {reason}
      </p>
      {action ? (
        <Button size="sm" onClick={onPress}>
          {action}
        </Button>
      ) : null}
    </div>
  );
}
