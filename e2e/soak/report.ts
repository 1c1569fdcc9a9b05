import type { TableSize } from './table-sizes.ts';

export interface Property {
  name: string;
  /** What was seen: `709, 790, 805, 815`. */
  seen: string;
  /** What must hold: `at most 915`. */
  expected: string;
  holds: boolean;
}

const print = (text: string) => process.stdout.write(`${text}\n`);

export function printProperties(title: string, properties: readonly Property[]): void {
  print(`\n${title}`);
  for (const { name, seen, expected, holds } of properties)
    print(`  ${holds ? 'PASS' : 'FAIL'}  ${name.padEnd(36)} ${seen.padStart(24)}   ${expected}`);
}

export function printTables(tables: readonly TableSize[], generations: number): void {
  print(
    `\n  ${'table'.padEnd(32)} ${'rows'.padStart(9)} ${'overdue'.padStart(8)} ${'MiB'.padStart(8)} kB a generation`,
  );
  for (const { name, rows, overdue, mib } of tables) {
    const kb = (mib * 1024) / Math.max(1, generations);
    print(
      `  ${name.padEnd(32)} ${String(rows).padStart(9)} ${String(overdue ?? '').padStart(8)} ${mib.toFixed(1).padStart(8)} ${kb.toFixed(2).padStart(15)}`,
    );
  }
}
