import { findAddedVersion } from '#contract/model-catalog.ts';
import type { OutputHints } from '#contract/added-models/output-hints.ts';
import { isJson, type Json } from '#contract/json-value.ts';
import type { Asset, Generation } from '#contract/resources/generation.ts';
import type { Offering } from '#server/models/catalog/offering.ts';

type Values = Record<string, unknown>;

interface FalFile {
  kind: 'image' | 'video' | 'audio' | 'file';
  /** As fal describes a file. */
  file: Values & { url: string };
}

/** Names of a provider's schema are safe in it. */
const emptyValues = (): Values => Object.create(null) as Values;

const EXTENSIONS: Readonly<Record<string, string>> = { jpeg: 'jpg', mpeg: 'mp3', quicktime: 'mov', 'svg+xml': 'svg' };

function presentAsset({ id, type, url, mime_type, size_bytes, width, height, duration_seconds }: Asset): FalFile {
  const [, subtype = 'bin'] = mime_type?.split('/') ?? [];
  const measured = { width, height, ...(type === 'image' ? {} : { duration: duration_seconds }) };
  const known = Object.entries(measured).filter(([, value]) => value !== null);
  const fileName = `${id}.${EXTENSIONS[subtype] ?? subtype}`;
  return {
    kind: type,
    file: { url, content_type: mime_type, file_name: fileName, file_size: size_bytes, ...Object.fromEntries(known) },
  };
}

/** Files that the library does not hold. */
const presentOthers = (data: Json | null): FalFile[] =>
  (Array.isArray(data?.['other_files']) ? data['other_files'] : []).filter(isJson).map(({ name, url }) => ({
    kind: 'file',
    file: { url: String(url), file_name: name },
  }));

/**
 * Presents the results of orders as one result of fal: files under the names that endpoints of their kind have, or that
 * the frozen schema of an added model has, and the data beside them.
 */
export function presentOutput(offering: Pick<Offering, 'added'>, orders: readonly Generation[]): Json {
  const [first] = orders;
  if (!first) return {};
  const data = orders.map(({ output }) => output.data).find((each) => each !== null) ?? null;
  const files = orders.flatMap(({ output }) => output.assets.map(presentAsset));
  const version = findAddedVersion(offering, first);
  const result = emptyValues();
  const others = presentOthers(data);
  const left = placeFiles(result, [...files, ...others], version?.definition.normalized.output.files ?? []);
  addUnnamed(result, left, first.task);
  const { other_files, ...values } = data ?? {};
  const keeps = left.some(({ kind }) => kind === 'file');
  return { ...values, ...(keeps && other_files !== undefined ? { other_files } : {}), ...result };
}

/** @returns files for which the schema has no place */
function placeFiles(result: Values, files: readonly FalFile[], hints: OutputHints['files']): FalFile[] {
  let left = [...files];
  for (const { path, kind, many } of hints) {
    if (!/^[\w-]/.test(path)) continue;
    const fitting = left.filter((file) => kind === null || file.kind === kind);
    const placed = many ? fitting : fitting.slice(0, 1);
    left = left.filter((file) => !placed.includes(file));
    for (const [index, { file }] of placed.entries()) setAt(result, path, index, file);
  }
  return left;
}

/** @param path `images[].url` for a file that is an object; otherwise it is its address */
function setAt(result: Values, path: string, index: number, file: FalFile['file']): void {
  const isObject = /(^|\.)url$/.test(path);
  const names = (isObject ? path.replace(/\.?url$/, '') : path).split('.').filter((name) => name !== '');
  if (names.length === 0) return void Object.assign(result, file);
  let at = result;
  for (const [depth, name] of names.entries()) {
    const key = name.replace('[]', '');
    const value = isObject ? file : file.url;
    const isLast = depth === names.length - 1;
    if (!name.endsWith('[]')) {
      if (isLast) at[key] = value;
      else at = (at[key] ??= emptyValues()) as Values;
      continue;
    }
    const list = (at[key] ??= []) as unknown[];
    if (isLast) list[index] = value;
    else at = (list[index] ??= emptyValues()) as Values;
  }
}

function addUnnamed(result: Values, files: readonly FalFile[], task: Generation['task']): void {
  const byKind = Map.groupBy(files, ({ kind }) => kind);
  byKind.delete('file');
  for (const [kind, ofKind] of byKind) {
    const isList = ofKind.length > 1 || task === 'image.create' || task === 'image.edit';
    const all = ofKind.map(({ file }) => file);
    if (isList && kind === 'image') result['images'] ??= all;
    else if (isList && ofKind.length > 1) result[`${kind}s`] ??= all;
    else result[kind] ??= all[0];
  }
}
