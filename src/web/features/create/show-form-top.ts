/** Shows the model and what was filled in, once the form is rendered. @param column scrolls by itself beside the results */
export function showFormTop(column: HTMLElement | null): void {
  requestAnimationFrame(() => {
    if (!column) return;
    column.scrollTop = 0;
    if (column.getBoundingClientRect().top < 0) window.scrollTo({ top: 0, behavior: 'instant' });
  });
}
