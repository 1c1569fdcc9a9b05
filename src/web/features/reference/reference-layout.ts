export const referenceGridClass = 'gap-x-10 lg:grid lg:grid-cols-[13rem_minmax(0,1fr)]';

/** Keeps a heading that is scrolled to by its anchor below the sticky bars. */
export const anchorOffsetClass = 'scroll-mt-3 md:scroll-mt-6';

/** The other tab of the page. */
export const REFERENCE_PATH = '/docs?part=reference';
