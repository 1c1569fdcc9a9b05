import { expect, type Page } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/**
 * Lists serious and critical violations, one line each.
 * @param rules all by default
 */
export async function findA11yViolations(page: Page, rules?: string[]): Promise<string[]> {
  // Checks remember what was hidden, so that nothing may appear during one.
  await expect(page.locator('.invisible[aria-busy=true]')).toHaveCount(0);
  // Text that is fading has less contrast than it ends with.
  const isLoaded = await page.evaluate(async () => {
    await Promise.allSettled(
      document
        .getAnimations()
        .filter((one) => one.playState === 'running' && one.effect?.getComputedTiming().endTime !== Infinity)
        .map((one) => one.finished),
    );
    return 'axe' in window;
  });
  if (!isLoaded) await page.evaluate(axe.source);
  // Passed checks are not described per node, which takes longer than the checks on a long page.
  const settings: RunOptions = { resultTypes: ['violations'] };
  if (rules) settings.runOnly = { type: 'rule', values: rules };
  return page.evaluate(async (options) => {
    // There are no frames. A guard at the edge of a popover passes the focus on at once, so nobody is on it.
    const context = { exclude: ['[data-base-ui-focus-guard]'] };
    // What a list of suggestions hides from screen readers is back as soon as the focus leaves the field.
    const suggests = document.querySelector('[role="combobox"][aria-expanded="true"]') !== null;
    const rules = { 'aria-hidden-focus': { enabled: !suggests } };
    const { violations } = await window.axe.run(context, options.runOnly ? options : { ...options, rules });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')} ${failureSummary}`),
      );
  }, settings);
}

/** Changes the theme, with every colour there at once: transitions of what isn't drawn would wait until it is. */
export async function turn(page: Page, colorScheme: 'dark' | 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(async () => {
    const drawn = () => new Promise(requestAnimationFrame);
    const transitions = () => document.getAnimations().filter((each) => each instanceof CSSTransition);
    await drawn();
    // The end of one begins those of elements inside that take its colour over.
    for (let running = transitions(); running.length > 0; running = transitions()) {
      for (const each of running) each.finish();
      await drawn();
    }
  });
}
