import { inputContract, TASKS } from '#contract/catalog.ts';
import type { AiLabel } from '#contract/resources/credentials.ts';
import { fieldDefault, type MediaKind, type TaskContract } from '#contract/task.ts';
import {
  GENERATION_ASSERTION,
  type GenerationAssertion,
} from '#server/platform/media/credentials/generation-assertion.ts';
import type { ManifestIngredient, ManifestStatement } from '#server/platform/media/credentials/credential-job.ts';
import type { GenerationRow } from '#server/studio/generations/read/generation-row.ts';

interface FoundProvenance {
  parent: ResultSource | undefined;
  parts: readonly ResultSource[];
  actions: readonly string[];
}

/** Finds the media by their roles: added models name their fields as they like. */
function findProvenance({ task, input }: DescribedResult['row'], sources: readonly ResultSource[]): FoundProvenance {
  const { provenance = {} }: TaskContract = TASKS[task];
  const { parent, parts, action = 'c2pa.edited', actionsByField = {} } = provenance;
  const contract = inputContract(task, null);
  const steps = Object.entries(actionsByField).flatMap(([name, step]) => {
    const field = contract?.fields.find((each) => each.name === name);
    return field && input[name] !== fieldDefault(field) ? [step] : [];
  });
  const ofKind = (kind: MediaKind | undefined) =>
    sources.filter((source) => source.kind === kind).toSorted((a, b) => a.rank - b.rank);
  const [first, ...others] = ofKind(parts);
  return {
    parent: ofKind(parent)[0],
    parts: first ? [first, ...others.filter(({ is_guide }) => !is_guide)] : [],
    actions: steps.length > 0 ? [...new Set(steps)] : [action],
  };
}

/** A medium that a result was made from. */
export interface ResultSource extends Pick<ManifestIngredient, 'title' | 'mime_type' | 'file' | 'store'> {
  kind: MediaKind;
  /** The lower, the likelier the task works on it. */
  rank: number;
  /** It only says how to work on another medium. */
  is_guide: boolean;
  /** It has credentials that can't be kept: damaged, unsafe or too large. */
  is_lost?: boolean | undefined;
  ai: AiLabel | null;
}

/** `preview`: the built-in engine, which uses no AI; `tool`: an edit without a model. */
export type Maker = 'model' | 'preview' | 'tool';

export interface DescribedResult {
  row: Pick<GenerationRow, 'task' | 'input'>;
  /** null: there is none. */
  model_name: string | null;
  maker: Maker;
  provider: string | null;
  sources: readonly ResultSource[];
  /** What the provider delivered, if it has credentials of its own. */
  original: Pick<ResultSource, 'title' | 'mime_type' | 'file' | 'store'> | null;
  is_converted: boolean;
  generation: GenerationAssertion;
  title: string;
  at: Date;
}

/** Says what a result is and how it was made. Specification: C2PA 2.2, actions; IPTC digital source types */
export function describeResult(result: DescribedResult): {
  statement: ManifestStatement;
  ingredients: ManifestIngredient[];
} {
  const { row, sources, original } = result;
  const provenance = findProvenance(row, sources);
  const relate = (source: ResultSource): ManifestIngredient['relationship'] => {
    if (source === provenance.parent && !original) return 'parentOf';
    return provenance.parts.includes(source) ? 'componentOf' : 'inputTo';
  };
  const ingredients: ManifestIngredient[] = sources.map((source, index) => ({
    ...toCited(source),
    id: `source-${index}`,
    relationship: relate(source),
  }));
  if (original) ingredients.push({ ...toCited(original), id: 'original', relationship: 'parentOf' });
  return {
    statement: {
      title: result.title,
      actions: describeActions(result, provenance, ingredients),
      assertions: { [GENERATION_ASSERTION]: result.generation },
    },
    ingredients,
  };
}

const toCited = ({ title, mime_type, file, store }: NonNullable<DescribedResult['original']>) => ({
  title,
  mime_type,
  file,
  store,
});

function describeActions(
  { model_name, maker, provider, sources, original, is_converted, at }: DescribedResult,
  { actions, parent }: FoundProvenance,
  ingredients: readonly ManifestIngredient[],
): Record<string, unknown>[] {
  const when = at.toISOString();
  const idsOf = (relationship: ManifestIngredient['relationship']): string[] =>
    ingredients.filter((each) => each.relationship === relationship).map(({ id }) => id);
  const using = (ids: readonly string[]) => (ids.length === 0 ? {} : { parameters: { ingredientIds: ids } });
  const isEdit = parent !== undefined;
  const source_type = sourceType(maker, isEdit, sources);
  const done = {
    when,
    softwareAgent: { name: makerName({ model_name, maker, provider }) },
    ...(source_type === null ? {} : { digitalSourceType: `${SOURCE_TYPES}${source_type}` }),
  };
  const placed = idsOf('componentOf').map((id) => ({ action: 'c2pa.placed', when, ...using([id]) }));
  const opened = { action: 'c2pa.opened', when, ...using(idsOf('parentOf')) };
  if (original) {
    const converted = { action: 'c2pa.converted', when, softwareAgent: { name: 'Emulsion' } };
    return [{ ...opened, ...done, ...using([...idsOf('parentOf')]) }, ...placed, ...(is_converted ? [converted] : [])];
  }
  if (!isEdit) return [{ action: 'c2pa.created', ...done, ...using(idsOf('inputTo')) }, ...placed];
  return [opened, ...placed, ...actions.map((action) => ({ action, ...done, ...using(idsOf('inputTo')) }))];
}

const SOURCE_TYPES = 'http://cv.iptc.org/newscodes/digitalsourcetype/';

/** A tool claims no AI of its own; a result of several parts says whether one of them was made by AI. */
function sourceType(maker: Maker, isEdit: boolean, sources: readonly ResultSource[]): string | null {
  if (maker === 'preview') return 'algorithmicMedia';
  if (maker === 'model') return isEdit ? 'compositeWithTrainedAlgorithmicMedia' : 'trainedAlgorithmicMedia';
  if (isEdit) return null;
  return sources.some(({ ai }) => ai !== null) ? 'compositeSynthetic' : 'composite';
}

function makerName({
  model_name,
  maker,
  provider,
}: Pick<DescribedResult, 'model_name' | 'maker' | 'provider'>): string {
  if (maker !== 'model' || model_name === null) return maker === 'preview' ? 'Emulsion preview' : 'Emulsion';
  return provider === null ? model_name : `${model_name} (${provider})`;
}

/** A tool's result is generated if all that it shows is. */
export function labelResult({
  row,
  maker,
  sources,
}: Pick<DescribedResult, 'row' | 'maker' | 'sources'>): AiLabel | null {
  const { parent, parts } = findProvenance(row, sources);
  if (maker === 'model') return parent ? 'edited' : 'generated';
  const shown = [...(parent ? [parent] : []), ...parts].map(({ ai }) => ai);
  if (shown.length > 0 && shown.every((ai) => ai === 'generated')) return 'generated';
  return shown.some((ai) => ai !== null) ? 'edited' : null;
}

/** What a manifest store says about its whole history. */
export function storeLabel(store: Buffer): AiLabel | null {
  if (store.includes('/trainedAlgorithmicMedia')) return 'generated';
  const isEdited = store.includes('/compositeWithTrainedAlgorithmicMedia') || store.includes('/compositeSynthetic');
  return isEdited ? 'edited' : null;
}
