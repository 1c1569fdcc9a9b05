import { createAtom, useSelector } from '@tanstack/react-store';
import type { ErrorDetail } from '#contract/api/errors.ts';

/** What the service said about the values of tags, by path. */
const problems = createAtom<ReadonlyMap<string, string>>(new Map<string, string>());

export const tagPath = (name: string): string => `metadata.${name}`;

const isOfTag = ({ path }: ErrorDetail): boolean => path.startsWith(tagPath(''));

/** Shows the problems of tags beside their fields. @returns the other problems */
export function showTagProblems(details: readonly ErrorDetail[]): ErrorDetail[] {
  problems.set(new Map(details.filter(isOfTag).map(({ path, message }) => [path, message])));
  return details.filter((detail) => !isOfTag(detail));
}

export const useTagProblem = (name: string): string | undefined =>
  useSelector(problems, (known) => known.get(tagPath(name)));

export function clearTagProblem(name: string): void {
  problems.set((known) => new Map([...known].filter(([path]) => path !== tagPath(name))));
}
