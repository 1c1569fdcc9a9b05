/** The page's list of contents beside its content, where there is room. */
export const referenceGridClass = 'gap-x-10 lg:grid lg:grid-cols-[13rem_minmax(0,1fr)]';

/** Keeps a heading that was jumped to clear of what sticks to the top. */
export const anchorOffsetClass = 'scroll-mt-3 md:scroll-mt-6';
