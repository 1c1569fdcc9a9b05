/** State that survives closing the viewer, but not the page. */
interface ViewerState {
  /** Undefined until toggled: then the width of the window decides. */
  details: boolean | undefined;
}

const viewerState: ViewerState = { details: undefined };

export const readViewerState = (): Readonly<ViewerState> => viewerState;
export const updateViewerState = (part: Partial<ViewerState>): void => void Object.assign(viewerState, part);
