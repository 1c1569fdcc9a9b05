import { type PointerEvent, useRef, useState } from 'react';
import { useReferenceDetails } from '#web/api/queries/media.ts';
import { serviceMediaSrc } from '#web/api/reference-info.ts';
import { referenceName } from '#web/media/format-media.ts';
import { useZoom } from '#web/media/zoom/use-zoom.ts';
import { zoomCommands } from '#web/media/zoom/zoom-controls.tsx';
import type { PixelDimensions } from '#web/media/zoom/zoom.ts';
import { imagePixelSize, ZoomedImage } from '#web/media/zoom/zoomed-image.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { CloseButton } from '#web/ui/close-button.tsx';
import { Callout } from '#web/ui/display/callout.tsx';
import { useCommands, viewCommand } from '#web/ui/hooks/commands.ts';
import { Modal } from '#web/ui/overlays/modal.tsx';
import { wholePicture } from './mask-operation.ts';
import { MaskStage } from './mask-stage.tsx';
import { ACTION_ICONS, type MaskAction, MaskToolbar } from './mask-toolbar.tsx';
import { BRUSH_PX, MASK_TOOLS, type MaskTool, resizeBrush } from './mask-tools.ts';
import { useMaskPainter } from './use-mask-painter.ts';

export interface MaskEditorProps {
  /** URL of the picture, a medium of the service. */
  url: string;
  /** The mask to continue with. */
  mask: string | null;
  onSave: (png: File) => void;
  onClose: () => void;
}

/** Paints a mask over a picture: what is painted may change. */
export function MaskEditor({ url, mask, onSave, onClose }: MaskEditorProps) {
  const info = useReferenceDetails(url);
  const [measured, setMeasured] = useState<PixelDimensions | null>(null);
  const picture = (info && imagePixelSize(info)) ?? measured;
  const src = mask === null ? null : serviceMediaSrc(mask);
  const { painter, holderRef, state, failed, reload } = useMaskPainter(picture, src);
  const [tool, setTool] = useState<MaskTool>('brush');
  const [brushPx, setBrushPx] = useState(BRUSH_PX.initial);
  const [isSaving, setIsSaving] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const spaceHeld = useRef(false);
  const pans = (event: PointerEvent) => event.button === 1 || (event.button === 0 && spaceHeld.current);
  const control = useZoom({ image: picture, pansAlone: pans });
  const name = referenceName(url, info, true);

  const run = (change: () => void) => () => {
    setProblem(null);
    if (!isSaving) change();
  };
  const applyToAll = (mode: 'invert' | 'erase') => run(() => picture && painter?.apply(wholePicture(mode, picture)));
  const actions: MaskAction[] = [
    { label: 'Invert (I)', keys: 'i', icon: ACTION_ICONS.invert, disabled: !painter, run: applyToAll('invert') },
    { label: 'Clear', icon: ACTION_ICONS.clear, disabled: !painter, run: applyToAll('erase') },
    {
      label: 'Undo',
      keys: 'mod+z',
      icon: ACTION_ICONS.undo,
      disabled: !state.canUndo,
      run: run(() => painter?.undo()),
    },
    {
      label: 'Redo',
      keys: 'mod+shift+z',
      icon: ACTION_ICONS.redo,
      disabled: !state.canRedo,
      run: run(() => painter?.redo()),
    },
  ];
  const command = viewCommand('Mask');
  useCommands([
    ...(Object.keys(MASK_TOOLS) as MaskTool[]).map((each) =>
      command(MASK_TOOLS[each].key, MASK_TOOLS[each].label, () => setTool(each)),
    ),
    ...actions.flatMap((action) => (action.keys ? command(action.keys, action.label, action.run) : [])),
    command('[', 'Smaller brush', () => setBrushPx((sizePx) => resizeBrush(sizePx, -1))),
    command(']', 'Larger brush', () => setBrushPx((sizePx) => resizeBrush(sizePx, 1))),
    // The arrow keys place a rectangle.
    ...zoomCommands('Mask', control).filter(({ keys }) => !keys?.includes('arrow')),
  ]);

  const save = async () => {
    if (!painter) return;
    setProblem(null);
    setIsSaving(true);
    painter.cancel();
    try {
      const { png, isEmpty } = await painter.write();
      if (isEmpty) setProblem('The mask is empty. Paint what should change.');
      else {
        onSave(new File([png], `Mask of ${name.replace(/\.[a-z\d]{3,4}$/i, '').slice(0, 80)}.png`, { type: png.type }));
        onClose();
      }
    } catch {
      setProblem('The mask could not be drawn. What you painted is still here. Try again.');
    } finally {
      setIsSaving(false);
    }
  };
  return (
    <Modal
      onDismiss={onClose}
      isUnsaved={() => state.isChanged}
      aria-label={`Mask of ${name}`}
      className="full-window flex flex-col bg-sunken! overscroll-none"
    >
      <header className="flex min-h-13 flex-none items-center gap-2 border-b border-line bg-canvas px-2 pt-[env(safe-area-inset-top)]">
        <CloseButton onClose={onClose} />
        <h2 tabIndex={-1} dir="auto" className="min-w-0 truncate px-1 text-sm font-semibold outline-none">
          Mask of {name}
        </h2>
        <p className="mr-auto text-sm text-ink-3 max-md:hidden">What you paint may change. The rest stays.</p>
        <Button
          variant="primary"
          className="ml-auto"
          busy={isSaving}
          aria-disabled={!painter || !state.isChanged}
          data-tooltip={state.isChanged ? undefined : 'Paint what should change first.'}
          onClick={() => void save()}
        >
          Use mask
        </Button>
      </header>
      {problem !== null || failed ? (
        <div className="flex-none bg-canvas p-2">
          {failed ? (
            <Callout
              tone="bad"
              title="The mask could not be loaded"
              action={
                <Button size="sm" onClick={reload}>
                  Try again
                </Button>
              }
            >
              To start over, close this and remove the mask.
            </Callout>
          ) : (
            <Callout tone="bad">{problem}</Callout>
          )}
        </div>
      ) : null}
      <MaskStage
        picture={picture ?? { widthPx: 1, heightPx: 1 }}
        painter={isSaving ? null : painter}
        holderRef={holderRef}
        control={control}
        pans={pans}
        onSpace={(held) => (spaceHeld.current = held)}
        tool={tool}
        brushPx={brushPx}
      >
        <ZoomedImage
          medium={{
            url,
            width: picture?.widthPx ?? null,
            height: picture?.heightPx ?? null,
            derivatives: info?.derivatives ?? null,
          }}
          label={name}
          zoom={control.zoom}
          stage={control.frame.stage}
          onMeasured={setMeasured}
          onError={() => setProblem('The picture could not be loaded. Close this and try again.')}
        />
      </MaskStage>
      <MaskToolbar
        tool={tool}
        onTool={setTool}
        brushPx={brushPx}
        onBrush={setBrushPx}
        actions={actions}
        control={control}
      />
    </Modal>
  );
}
