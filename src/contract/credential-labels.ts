import { TASKS } from './catalog.ts';
import type {
  AiLabel,
  CredentialAction,
  CredentialReport,
  CredentialState,
  CredentialStep,
  StepProblem,
} from './resources/credentials.ts';

export const CREDENTIAL_STATE_LABELS = {
  valid: 'Valid: unchanged since it was signed',
  history_problem: 'Unchanged since it was signed, but its history has a problem',
  changed: 'Changed',
  invalid: 'Not valid',
  none: 'None found',
  too_complex: 'Too complex to check',
} as const satisfies Record<CredentialState, string>;

export const AI_LABEL_TEXTS = {
  generated: 'AI-generated',
  edited: 'AI-edited',
} as const satisfies Record<AiLabel, string>;

/** Actions of the C2PA specification. */
const ACTION_LABELS: Readonly<Record<string, string>> = {
  'c2pa.addedText': 'Text added',
  'c2pa.adjustedColor': 'Colors adjusted',
  'c2pa.changedSpeed': 'Speed changed',
  'c2pa.color_adjustments': 'Colors adjusted',
  'c2pa.converted': 'Converted',
  'c2pa.created': 'Created',
  'c2pa.cropped': 'Cropped',
  'c2pa.deleted': 'Parts removed',
  'c2pa.drawing': 'Drawn on',
  'c2pa.dubbed': 'Dubbed',
  'c2pa.edited': 'Edited',
  'c2pa.edited.metadata': 'Metadata edited',
  'c2pa.enhanced': 'Enhanced',
  'c2pa.filtered': 'Filter applied',
  'c2pa.mastered': 'Mastered',
  'c2pa.mixed': 'Mixed',
  'c2pa.opened': 'Opened',
  'c2pa.orientation': 'Rotated or flipped',
  'c2pa.placed': 'Another file placed',
  'c2pa.published': 'Published',
  'c2pa.redacted': 'Redacted',
  'c2pa.remixed': 'Remixed',
  'c2pa.removed': 'A part removed',
  'c2pa.repackaged': 'Repackaged',
  'c2pa.resized': 'Resized',
  'c2pa.resized.proportional': 'Resized',
  'c2pa.transcoded': 'Converted',
  'c2pa.translated': 'Translated',
  'c2pa.trimmed': 'Trimmed',
  'c2pa.unknown': 'Changed in a way that was not recorded',
  'c2pa.watermarked': 'Watermark added',
  'c2pa.watermarked.bound': 'Watermark added',
  'c2pa.watermarked.unbound': 'Watermark added',
};

export const STEP_PROBLEM_LABELS = {
  changed: 'Changed before it came here',
  invalid: 'Its credentials were faulty before it came here',
} as const satisfies Record<StepProblem, string>;

type Ingredient = CredentialStep['ingredients'][number];

const RELATIONSHIP_LABELS = {
  parent: 'Made from',
  part: 'Contains',
  input: 'Input of the model:',
} as const satisfies Record<Ingredient['relationship'], string>;

/** Files of this service are signed under their id, because their names can hold a prompt. */
const OWN_TITLE = /^(?:ast|upl)_\w+(?:\.\w+)?$/;
const showTitle = (title: string | null): string | null => (title === null || OWN_TITLE.test(title) ? null : title);

/**
 * What was done and from what: "Created by Veo 3.1 (Google)", "Opened from “harbor.png” (step 2)". Steps are numbered as
 * they are listed. The heading is the name of the file or the tool, or the first
 * line.
 */
export function describeStep(
  step: CredentialStep,
  steps: CredentialReport['steps'],
): { heading: string; lines: string[] } {
  const isOpened = step.actions.some(({ action }) => action === OPENED);
  const isOrigin = ({ relationship }: Ingredient) => isOpened && relationship === 'parent';
  const opened = step.ingredients.filter(isOrigin).map((each) => `Opened from ${describeSource(each, steps)}`);
  const parts = step.ingredients.filter(({ relationship }) => relationship === 'part');
  const isNamed = (action: string) =>
    (action === OPENED && opened.length > 0) || (action === 'c2pa.placed' && parts.length > 0);
  const actions = step.actions.filter(({ action }) => !isNamed(action));
  const others = step.ingredients.filter((each) => !isOrigin(each));
  const lines = [
    ...(step.problem === null ? [] : [STEP_PROBLEM_LABELS[step.problem]]),
    ...opened,
    ...actions.map((each) => describeAction(step, each)),
    ...others.map((each) => `${RELATIONSHIP_LABELS[each.relationship]} ${describeSource(each, steps)}`),
    ...step.identities.map(describeIdentity),
  ];
  const toolName = step.task !== null && step.model === null ? TASKS[step.task].name : null;
  const title = showTitle(step.title) ?? toolName;
  if (title !== null) return { heading: title, lines };
  const at = step.problem === null ? 0 : 1;
  return { heading: lines[at] ?? 'Signed', lines: lines.toSpliced(at, 1) };
}

const OPENED = 'c2pa.opened';

const describeIdentity = ({ name, is_faulty }: CredentialStep['identities'][number]): string =>
  `Identity of ${name === null ? 'an unnamed person' : `“${name}”`}: ${is_faulty ? 'does not fit this file' : 'not verified'}`;

/** Unknown actions are shown by their own names. */
function describeAction(step: CredentialStep, { action, software }: CredentialAction): string {
  const label = (Object.hasOwn(ACTION_LABELS, action) ? ACTION_LABELS[action] : undefined) ?? action;
  const by = software ?? (action === 'c2pa.created' ? step.model : null);
  // Who signed is stated for the whole step.
  if (by === null || by === step.generator) return label;
  return `${label} by ${by}${by === step.model && step.provider !== null ? ` (${step.provider})` : ''}`;
}

function describeSource({ title, step, problem }: Ingredient, steps: CredentialReport['steps']): string {
  const name = showTitle(title);
  const number = step !== null && step < steps.length ? `step ${step + 1}` : null;
  const state = number ?? (problem === null ? 'without credentials' : PROBLEM_OF_SOURCE[problem]);
  if (name === null) return number ?? `a file ${state}`;
  return `“${name}” (${state})`;
}

/** Where the step itself is not in the file. */
const PROBLEM_OF_SOURCE = {
  changed: 'that was changed before it came here',
  invalid: 'with faulty credentials',
} as const satisfies Record<StepProblem, string>;

/** "this installation with Emulsion". Another name is what the certificate states. */
export function describeSigner({ is_own, signer, generator }: CredentialStep): string {
  const name = is_own
    ? 'this installation'
    : signer === null
      ? 'an unnamed signer'
      : `${signer} (name in the certificate)`;
  return generator === null ? name : `${name} with ${generator}`;
}
