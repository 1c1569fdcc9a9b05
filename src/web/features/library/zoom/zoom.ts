export interface PixelDimensions {
  width_px: number;
  height_px: number;
}

/** How a picture is looked at: 1 is fitted to the stage; x and y are where its middle is, from the stage's middle. */
export interface Zoom {
  scale: number;
  x_px: number;
  y_px: number;
}

/** What a zoom is bounded by. */
export interface ZoomFrame {
  stage: PixelDimensions;
  /** The picture as it is fitted to the stage. */
  fitted: PixelDimensions;
  max_scale: number;
}

export interface Point {
  x_px: number;
  y_px: number;
}

export const FIT_ZOOM: Zoom = { scale: 1, x_px: 0, y_px: 0 };
/** How large a pixel of the picture gets at the most. */
const MAX_PIXEL_SCALE = 8;
const MIN_MAX_SCALE = 4;
const ZOOM_STEP = 1.5;

/** The picture within the stage, never larger than it is. */
export function fittedSize(picture: PixelDimensions, stage: PixelDimensions): PixelDimensions {
  const share = Math.min(1, stage.width_px / picture.width_px, stage.height_px / picture.height_px);
  return { width_px: picture.width_px * share, height_px: picture.height_px * share };
}

export function computeZoomFrame(picture: PixelDimensions, stage: PixelDimensions): ZoomFrame {
  const fitted = fittedSize(picture, stage);
  const most = Math.max(MIN_MAX_SCALE, (MAX_PIXEL_SCALE * picture.width_px) / Math.max(1, fitted.width_px));
  return { stage, fitted, max_scale: most };
}

/** The scale at which a pixel of the picture is one of the page. */
export const nativeScale = (picture: PixelDimensions, { fitted }: ZoomFrame): number =>
  picture.width_px / Math.max(1, fitted.width_px);

/** Zooms to a scale with a point of the picture staying where it is on the stage. */
export function zoomTo(zoom: Zoom, scale: number, { x_px, y_px }: Point, frame: ZoomFrame): Zoom {
  const next = Math.min(frame.max_scale, Math.max(1, scale));
  const by = next / zoom.scale;
  return clampZoom({ scale: next, x_px: x_px - (x_px - zoom.x_px) * by, y_px: y_px - (y_px - zoom.y_px) * by }, frame);
}

/** A step larger or smaller, about the middle; from and to fitted exactly. */
export function stepZoom(zoom: Zoom, by: 1 | -1, frame: ZoomFrame): Zoom {
  const scale = by === 1 ? zoom.scale * ZOOM_STEP : zoom.scale / ZOOM_STEP;
  return zoomTo(zoom, scale < 1.05 ? 1 : scale, { x_px: 0, y_px: 0 }, frame);
}

/** Between fitted and the picture's own size, about a point; a picture that is shown in its own size is doubled. */
export function toggleZoom(zoom: Zoom, point: Point, picture: PixelDimensions, frame: ZoomFrame): Zoom {
  if (zoom.scale > 1.01) return FIT_ZOOM;
  const own = nativeScale(picture, frame);
  return zoomTo(zoom, own > 1.05 ? own : 2, point, frame);
}

export const panZoom = (zoom: Zoom, by: Point, frame: ZoomFrame): Zoom =>
  clampZoom({ ...zoom, x_px: zoom.x_px + by.x_px, y_px: zoom.y_px + by.y_px }, frame);

/** A picture larger than the stage covers it, a smaller one stays in its middle. */
function clampZoom({ scale, x_px, y_px }: Zoom, { stage, fitted }: ZoomFrame): Zoom {
  const within = (at_px: number, size_px: number, room_px: number) => {
    const most_px = Math.max(0, (size_px * scale - room_px) / 2);
    // Not the negative zero that a bound of nothing would leave.
    return Math.min(most_px, Math.max(-most_px, at_px)) || 0;
  };
  return {
    scale,
    x_px: within(x_px, fitted.width_px, stage.width_px),
    y_px: within(y_px, fitted.height_px, stage.height_px),
  };
}
