import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** What is serious or critical for people with disabilities, one line each. @param rules all by default */
export async function findA11yViolations(page: Page, rules?: string[]): Promise<string[]> {
  // There are no frames: judged in the page itself, which is faster than in one opened for it.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  // What is well is not described node by node: on a long page that takes longer than to judge it.
  axe.options({ resultTypes: ['violations'] });
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')} ${failureSummary}`),
    );
}
