import type { PageTimes } from './measure-side-by-side.ts';

export const printRow = (name: string, ours: string, floor: string, ratio: number) =>
  process.stdout.write(
    `${name.padEnd(34)} ${ours.padStart(14)} ${floor.padStart(14)} ${ratio.toFixed(2).padStart(8)}×\n`,
  );

export const printCheck = (what: string, holds: boolean) =>
  process.stdout.write(`  ${holds ? 'pass' : 'FAIL'}: ${what}\n`);

export const perSecond = (value: number) => `${Math.round(value)}/s`;

export const inMs = (value: number) => `${Math.round(value)} ms`;

export function printSlowestPage(sizes: string, measured: readonly PageTimes[]): void {
  const sorted = measured.toSorted((a, b) => b.manyMs / b.fewMs - a.manyMs / a.fewMs);
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  for (const { name, manyMs, fewMs } of process.env['PAGE_DETAILS'] ? sorted : sorted.slice(0, 1)) {
    printRow(`${sizes}, by ${name}`, ms(manyMs), ms(fewMs), manyMs / fewMs);
  }
}
