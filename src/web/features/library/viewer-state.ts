/** What is kept while the page is, from one opened medium to the next. */
interface ViewerState {
  /** Whether the details stand beside it; unset: as there is room. */
  details: boolean | undefined;
}

const viewerState: ViewerState = { details: undefined };

export const readViewerState = (): Readonly<ViewerState> => viewerState;
export const updateViewerState = (part: Partial<ViewerState>): void => void Object.assign(viewerState, part);
