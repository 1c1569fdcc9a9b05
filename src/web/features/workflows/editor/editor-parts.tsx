import { ArrowDown, ArrowUp, ChevronRight, Copy, Trash2 } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { Badge } from '#web/ui/display/badge.tsx';
import { cx } from '#web/ui/cx.ts';
import { formatList } from '#web/ui/formats.ts';
import { MoreMenu, MenuItem } from '#web/ui/overlays/menu.tsx';
import { TextInput } from '#web/ui/controls/text-input.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { type ExpressionRoot, renameEverywhere } from './expressions.ts';
import type { StarterValues } from './starter-values.ts';
import { PathField, useProblems } from './validation.tsx';

export const useStarterForm = () => useFormContext<StarterValues>();
export const useParts = () => useWatch<StarterValues>() as StarterValues;

/** Returns a function that applies a destructive change and offers to undo it. */
export function useChangeWithUndo() {
  const { getValues, reset } = useStarterForm();
  return (title: string, users: readonly string[], change: () => void) => {
    const before = structuredClone(getValues());
    change();
    showToast({
      title,
      ...(users.length > 0 ? { detail: `Still used in ${formatList(users)}. Update it there.` } : {}),
      // Undo also reverts what was typed since.
      action: { label: 'Undo', onPress: () => reset(before) },
      durationMs: 10_000,
    });
  };
}

interface EditorSectionProps {
  title: string;
  intro: string;
  path: string;
  actions?: ReactNode;
  children: ReactNode;
}

export function EditorSection({ title, intro, path, actions, children }: EditorSectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} data-path={path} className="min-w-0 border-t border-line pt-5">
      <header className="mb-4 flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-[1_1_16rem]">
          <h2 id={id} tabIndex={-1} className="text-md font-semibold outline-none">
            {title}
          </h2>
          <p className="text-sm text-ink-3">{intro}</p>
        </div>
        {actions}
      </header>
      <div className="flex flex-col gap-4">{children}</div>
    </section>
  );
}

/** What the list knows of one of its cards. */
export interface CardProps {
  at: number;
  count: number;
  isInitiallyOpen: boolean;
  onMove: (from: number, to: number) => void;
  onDuplicate?: () => void;
  onDelete: () => void;
}

interface PartCardProps extends CardProps {
  path: string;
  title: string;
  subtitle: string;
  icon?: ReactNode;
  badges?: ReactNode;
  children: ReactNode;
}

/** An input or a step: a card that expands, with a menu to move, duplicate and delete it. */
export function PartCard({ path, title, subtitle, icon, badges, at, count, children, ...props }: PartCardProps) {
  const [isOpen, setOpen] = useState(props.isInitiallyOpen);
  const problems = useProblems(path).length;
  const actions = `Actions for ${title}`;
  return (
    <div
      data-path={path}
      className={cx('scroll-mt-4 rounded-md border bg-surface', problems > 0 ? 'border-bad' : 'border-line')}
    >
      <div className="flex items-center gap-2 py-1.5 pr-1.5 pl-2">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-9 min-w-0 flex-1 items-center gap-2.5 rounded-sm text-left pointer-coarse:min-h-11"
        >
          <ChevronRight
            aria-hidden="true"
            className={cx('size-4 flex-none text-ink-3 transition-transform', isOpen && 'rotate-90')}
          />
          {icon}
          <span className="min-w-0 flex-1">
            <span className="block truncate font-medium">{title}</span>
            <span className="block truncate text-xs text-ink-3">{subtitle}</span>
          </span>
          {badges}
          {problems > 0 ? <Badge tone="bad">{problems === 1 ? '1 problem' : `${problems} problems`}</Badge> : null}
        </button>
        <MoreMenu size="sm" label={actions}>
          <MenuItem icon={<ArrowUp aria-hidden="true" />} disabled={at === 0} onSelect={() => props.onMove(at, at - 1)}>
            Move up
          </MenuItem>
          <MenuItem
            icon={<ArrowDown aria-hidden="true" />}
            disabled={at === count - 1}
            onSelect={() => props.onMove(at, at + 1)}
          >
            Move down
          </MenuItem>
          {props.onDuplicate ? (
            <MenuItem icon={<Copy aria-hidden="true" />} onSelect={props.onDuplicate}>
              Duplicate
            </MenuItem>
          ) : null}
          <MenuItem icon={<Trash2 aria-hidden="true" />} tone="danger" onSelect={props.onDelete}>
            Delete
          </MenuItem>
        </MoreMenu>
      </div>
      {isOpen ? <div className="flex flex-col gap-4 border-t border-line p-4">{children}</div> : null}
    </div>
  );
}

/** Edits the key of an input or a step. It is renamed in all expressions when the field is left. */
export function KeyField({ root, at, path }: { root: ExpressionRoot; at: number; path: string }) {
  const { getValues, setValue } = useStarterForm();
  const list = root === 'input' ? 'inputs' : 'steps';
  const value = useWatch<StarterValues, `${typeof list}.${number}.key`>({ name: `${list}.${at}.key` });
  const [typed, setTyped] = useState<string | null>(null);
  const draft = typed ?? value;
  const key = draft.trim();
  const problem =
    key === ''
      ? 'Enter a key.'
      : key !== value && getValues(list).some((other) => other.key === key)
        ? 'This key is already in use.'
        : undefined;
  const rename = () => {
    // What can't be used stays in the field.
    if (problem) return;
    setTyped(null);
    if (key === value) return;
    const { inputs, steps, results, example } = renameEverywhere(getValues(), root, value, key);
    // A whole list would get new IDs, and its cards would close.
    inputs.forEach((input, index) => setValue(`inputs.${index}`, input));
    steps.forEach((step, index) => setValue(`steps.${index}`, step));
    results.forEach((result, index) => setValue(`results.${index}`, result));
    setValue('example', example);
  };
  return (
    <PathField label="Key" hint={problem ?? `Use it in expressions as ${root}.${value}`} path={path}>
      <TextInput
        value={draft}
        {...(problem ? { 'aria-invalid': true } : {})}
        spellCheck={false}
        autoCapitalize="off"
        className="font-mono text-sm"
        onChange={(event) => setTyped(event.target.value)}
        onBlur={rename}
      />
    </PathField>
  );
}
