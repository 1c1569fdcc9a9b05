import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { ReactCrop } from 'react-image-crop';
import 'react-image-crop/dist/ReactCrop.css';
import { createPageLink } from '#web/api/create-page-link.ts';
import { inputContract } from '#web/api/known-models.ts';
import { modelName } from '#web/api/model-names.ts';
import { modelsQuery } from '#web/api/queries/catalog.ts';
import { assetSrc } from '#web/api/reference-info.ts';
import { readDraft, writeDraft } from '#web/forms/values/drafts.ts';
import { type FormValues, initialValue, initialValues } from '#web/forms/values/form-values.ts';
import { findExpandTargets } from '#web/media/outputs/expand-targets.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { NumberField } from '#web/ui/controls/number-field.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { clampEdges, EDGES, type Edges, fitEdges, mostEdge, NO_EDGES, toCanvas, toEdges } from './canvas-edges.ts';
import { type LoadedPicture, PictureDialog, PictureLoader } from './picture-dialog.tsx';
import { fromPercent, parseRatio, toPercent } from './picture-edit.ts';
import { useTransform } from './use-transform.ts';

interface ExpandDialogProps {
  mediaId: string;
  onClose: () => void;
}

/** Chooses a larger canvas, and opens the form of a model that fills it. */
export const ExpandDialog = ({ mediaId, onClose }: ExpandDialogProps) => (
  <PictureLoader mediaId={mediaId} title="Expand" onClose={onClose}>
    {(loaded) => <ExpandEditor {...loaded} mediaId={mediaId} onClose={onClose} />}
  </PictureLoader>
);

const LABELS = { left: 'Left', top: 'Top', right: 'Right', bottom: 'Bottom' } satisfies Record<keyof Edges, string>;
const RATIOS = ['1:1', '4:5', '3:2', '16:9', '9:16', '21:9'];

function ExpandEditor({ mediaId, url, picture, onFailed, onClose }: ExpandDialogProps & LoadedPicture) {
  const navigate = useNavigate();
  const { data: models } = useQuery(modelsQuery);
  const targets = findExpandTargets(models ?? []);
  const [chosen, setChosen] = useState(0);
  const [edges, setEdges] = useState(NO_EDGES);
  const target = targets[chosen];
  const paddedId = useRef('');
  /** The form takes the picture from its address, and what belongs to it from the draft. */
  const openForm = (id: string, added: FormValues) => {
    const contract = target && inputContract(target.task, target.model);
    if (!contract) return;
    const { task, model, way } = target;
    const picture = contract.fields.find(({ name }) => name === way.picture);
    const blank = picture ? { [picture.name]: initialValue(picture) } : {};
    const draft = readDraft(task, model, contract) ?? initialValues(contract);
    writeDraft(task, model, { ...draft, ...blank, ...added });
    onClose();
    void navigate({ ...createPageLink(task, model), search: { media: id, fields: way.picture } });
  };
  const mask = useTransform(({ url: maskUrl }) => {
    if (target?.way.mask) openForm(paddedId.current, { [target.way.mask]: { url: maskUrl } });
  });
  const pad = useTransform(({ id }) => {
    paddedId.current = id;
    mask.start({ image: { url }, expand: { ...edges, fill: 'mask' } });
  });
  const start = () => {
    const sides = target?.way.sides;
    if (sides) openForm(mediaId, Object.fromEntries(EDGES.map((side) => [sides[side], edges[side]])));
    else pad.start({ image: { url }, expand: { ...edges, fill: 'blurred' } });
  };
  const problem = pad.problem ?? mask.problem;
  const isBusy = pad.isBusy || mask.isBusy;
  return (
    <PictureDialog
      title="Expand"
      description="Drag the edges of the canvas. The form that opens next has the price."
      problem={problem && `${problem} The picture and the canvas are still here.`}
      action={{
        label: 'Continue',
        isBusy,
        disabled: !target || EDGES.every((side) => edges[side] === 0),
        run: start,
      }}
      onClose={onClose}
    >
      <div className="flex flex-col gap-4 md:flex-row">
        <CanvasStage {...{ url, picture, onFailed, edges, isBusy }} onChange={setEdges} />
        <div className="flex flex-none flex-col gap-4 md:w-64">
          <Field label="Model">
            <Select
              value={String(chosen)}
              onChange={(next) => setChosen(Number(next))}
              options={targets.map(({ model }, at) => ({ value: String(at), label: modelName(model, models) }))}
            />
          </Field>
          <fieldset aria-label="Ratio" className="flex flex-wrap gap-1">
            {RATIOS.map((ratio) => (
              <Button key={ratio} size="sm" onClick={() => setEdges(fitEdges(parseRatio(ratio), picture))}>
                {ratio}
              </Button>
            ))}
            <Button size="sm" variant="ghost" onClick={() => setEdges(NO_EDGES)}>
              Reset
            </Button>
          </fieldset>
          <fieldset className="grid grid-cols-2 gap-2">
            <legend className="mb-1 text-sm font-medium">Pixels to add</legend>
            {EDGES.map((side) => (
              <Field key={side} label={LABELS[side]}>
                <NumberField
                  value={edges[side]}
                  min={0}
                  max={mostEdge(picture)}
                  onChange={(pixels) => setEdges(clampEdges({ ...edges, [side]: pixels ?? 0 }, picture))}
                />
              </Field>
            ))}
          </fieldset>
        </div>
      </div>
    </PictureDialog>
  );
}

interface CanvasStageProps extends LoadedPicture {
  edges: Edges;
  isBusy: boolean;
  onChange: (edges: Edges) => void;
}

/** The picture in the middle of all that can be added, with the canvas as the selection. */
function CanvasStage({ url, picture, onFailed, edges, isBusy, onChange }: CanvasStageProps) {
  const most = mostEdge(picture);
  const stage = { width: picture.width + 2 * most, height: picture.height + 2 * most };
  const place = toPercent({ x: most, y: most, ...picture }, stage);
  return (
    <div className="flex min-w-0 flex-1 items-center justify-center rounded-md bg-sunken p-2">
      <ReactCrop
        crop={toPercent(toCanvas(edges, picture), stage)}
        keepSelection
        disabled={isBusy}
        onChange={(_pixels, next) => onChange(toEdges(fromPercent(next, stage), picture))}
        style={{ width: `min(100%, calc(52dvh * ${stage.width / stage.height}))` }}
      >
        <div className="relative touch-none" style={{ aspectRatio: `${stage.width} / ${stage.height}` }}>
          <img
            src={assetSrc(url)}
            alt=""
            draggable={false}
            onError={onFailed}
            className="absolute select-none"
            style={{
              left: `${place.x}%`,
              top: `${place.y}%`,
              width: `${place.width}%`,
              height: `${place.height}%`,
            }}
          />
        </div>
      </ReactCrop>
    </div>
  );
}
