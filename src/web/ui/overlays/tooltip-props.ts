/** Returns props that give any element a tooltip, announced as its description. */
export function tooltipProps(text: string) {
  return { 'data-tooltip': text, 'aria-description': text };
}
