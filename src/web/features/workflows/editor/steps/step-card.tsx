import { ChevronRight } from 'lucide-react';
import { isModelId, isTaskId } from '#contract/catalog.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { moveItem } from '#web/forms/move-item.ts';
import { Badge } from '#web/ui/badge.tsx';
import { cx } from '#web/ui/cx.ts';
import { TASK_ICONS } from '../../steps/task-icons.ts';
import { useEditor, useProblems, changeWithUndo } from '../editor-context.ts';
import { type EditorState, type EditorStep, uniqueKey, nextPartId } from '../editor-state.ts';
import { findDependents } from '../expressions.ts';
import { ListItemMenu } from '../list-item-menu.tsx';
import { StepBody } from './step-body.tsx';

interface StepCardProps {
  step: EditorStep;
  at: number;
  count: number;
  isOpen: boolean;
  onToggle: () => void;
}

export function StepCard({ step, at, count, isOpen, onToggle }: StepCardProps) {
  const names = useCatalogNames();
  const editor = useEditor();
  const problems = useProblems(`steps.${at}`);
  const { id, key, name, task, model } = step;
  const title = name || key || 'Step';
  const Icon = isTaskId(task) ? TASK_ICONS[task] : null;
  const subtitle = [isTaskId(task) ? names.task(task) : task, model && isModelId(model) ? names.model(model) : model];
  const remove = () =>
    changeWithUndo(editor, `“${title}” deleted`, findDependents(editor.state(), 'steps', key), (state) => ({
      ...state,
      steps: state.steps.filter((each) => each.id !== id),
    }));
  return (
    <div
      data-path={`steps.${at}`}
      className={cx('rounded-md border bg-surface', problems.length > 0 ? 'border-bad' : 'border-line')}
    >
      <div className="flex items-center gap-2 py-2 pr-1.5 pl-2">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={onToggle}
          className="flex min-h-9 min-w-0 flex-1 items-center gap-2.5 rounded-sm text-left pointer-coarse:min-h-11"
        >
          <ChevronRight
            aria-hidden="true"
            className={cx('size-4 flex-none text-ink-3 transition-transform', isOpen && 'rotate-90')}
          />
          <span className="w-4 flex-none text-right text-sm text-ink-3 tabular-nums">{at + 1}</span>
          {Icon ? <Icon aria-hidden="true" className="size-4.5 flex-none stroke-[1.5] text-ink-3" /> : null}
          <span className="min-w-0 flex-1">
            <span className="block truncate font-medium">{title}</span>
            <span className="block truncate text-xs text-ink-3">{subtitle.filter(Boolean).join(' · ')}</span>
          </span>
          {step.for_each === null ? null : <Badge>Repeats</Badge>}
          {step.when === null ? null : <Badge>Optional</Badge>}
          {problems.length > 0 ? (
            <Badge tone="bad">{problems.length === 1 ? '1 problem' : `${problems.length} problems`}</Badge>
          ) : null}
        </button>
        <ListItemMenu
          name={title}
          at={at}
          count={count}
          onMove={(to) => editor.change((state) => ({ ...state, steps: moveItem(state.steps, at, to) }))}
          onDuplicate={() => editor.change((state) => duplicateStep(state, step, at))}
          onDelete={remove}
        />
      </div>
      {isOpen ? <StepBody step={step} at={at} /> : null}
    </div>
  );
}

function duplicateStep(state: EditorState, step: EditorStep, at: number): EditorState {
  const { id, last_id } = nextPartId(state);
  const keys = state.steps.map(({ key }) => key);
  const copy = { ...step, id, key: uniqueKey(step.key, keys, 'step'), name: `${step.name} (copy)`.slice(0, 80) };
  return { ...state, last_id, steps: state.steps.toSpliced(at + 1, 0, copy) };
}
