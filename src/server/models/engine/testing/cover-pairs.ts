type Values = Readonly<Record<string, unknown>>;

/** The option of each list by the list's index. */
type Choice = ReadonlyMap<number, number>;

const pairName = (one: number, first: number, other: number, second: number) =>
  one < other ? `${one}:${first} ${other}:${second}` : `${other}:${second} ${one}:${first}`;

/**
 * Combines options so that every two options of different lists occur together at least once, in far fewer
 * combinations than all. A pair that is not allowed is returned alone, without the options of other lists.
 */
export function coverPairs(lists: readonly (readonly Values[])[], isAllowed: (values: Values) => boolean): Values[] {
  const covered = new Set<string>();
  const rows: Values[] = [];
  const merge = (choice: Choice): Values =>
    Object.assign({}, ...[...choice].map(([list, option]) => lists[list]?.[option])) as Values;
  const countNew = (choice: Choice, list: number, option: number) =>
    [...choice].filter(([other, second]) => !covered.has(pairName(list, option, other, second))).length;

  function extend(pair: Choice): Choice {
    let choice = pair;
    for (const [list, options] of lists.entries()) {
      if (choice.has(list)) continue;
      const byGain = options
        .map((_, option) => ({ option, gain: countNew(choice, list, option) }))
        .filter(({ gain }) => gain > 0)
        .toSorted((one, other) => other.gain - one.gain);
      for (const { option } of byGain) {
        const extended = new Map([...choice, [list, option]]);
        if (!isAllowed(merge(extended))) continue;
        choice = extended;
        break;
      }
    }
    return choice;
  }

  for (const [list, options] of lists.entries())
    for (let option = 0; option < options.length; option += 1)
      for (let other = list + 1; other < lists.length; other += 1)
        for (let second = 0; second < (lists[other]?.length ?? 0); second += 1) {
          if (covered.has(pairName(list, option, other, second))) continue;
          const pair = new Map([
            [list, option],
            [other, second],
          ]);
          const choice = isAllowed(merge(pair)) ? extend(pair) : pair;
          for (const [one, first] of choice)
            for (const [two, last] of choice) if (one < two) covered.add(pairName(one, first, two, last));
          rows.push(merge(choice));
        }
  return rows;
}
