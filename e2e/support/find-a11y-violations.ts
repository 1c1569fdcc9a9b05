import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/**
 * Lists serious and critical violations, one line each.
 * @param rules all by default
 */
export async function findA11yViolations(page: Page, rules?: string[]): Promise<string[]> {
  // Text that is fading has less contrast than it ends with.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((one) => one.playState === 'running' && one.effect?.getComputedTiming().endTime !== Infinity)
        .map((one) => one.finished),
    ).then(() => undefined),
  );
  // There are no frames. Running in the page itself is faster than in a page opened for it.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  // Passed checks are not described per node, which takes longer than the checks on a long page.
  axe.options({ resultTypes: ['violations'] });
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')} ${failureSummary}`),
    );
}
