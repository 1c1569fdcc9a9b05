import { expect, type Locator, type Page } from '@playwright/test';

/** Goes on with Tab until something is focused. @throws after as many steps as any page should need */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab', most = 60): Promise<void> {
  for (let step = 0; step < most; step += 1) {
    await page.keyboard.press(key);
    if (await isFocused(target)) return expectSeen(target);
  }
  throw new Error(`${String(target)} can't be reached with ${most} presses of Tab`);
}

const isFocused = async (target: Locator) =>
  (await target.count()) === 1 && target.evaluate((element) => element === document.activeElement);

/** What has the focus shows it, by an outline on itself or on what is around it, and nothing lies over it. */
async function expectSeen(target: Locator): Promise<void> {
  const { ringed, coveredBy } = await target.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const above = document.elementFromPoint(left + width / 2, top + height / 2);
    const isFree = above === null || element.contains(above) || above.contains(element);
    const around = [element, element.parentElement, element.parentElement?.parentElement].filter(
      (each) => each != null,
    );
    const styles = around.flatMap((each) => [getComputedStyle(each), getComputedStyle(each, '::after')]);
    return {
      ringed: styles.some((style) => style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 1),
      coveredBy: isFree ? '' : above.outerHTML.slice(0, 200),
    };
  });
  expect(ringed, `a visible focus on ${String(target)}`).toBe(true);
  expect(coveredBy, `what lies over ${String(target)}`).toBe('');
}
