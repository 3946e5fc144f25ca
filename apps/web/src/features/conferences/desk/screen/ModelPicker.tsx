import { SCREEN_MODELS, type ScreenLayout, type ScreenModel } from '@rmeet/conference';
import { useT } from '../texts.tsx';
import { rove } from './Choices.tsx';
import { drawnPlaces } from './model/places.ts';
import { modelText } from './describe.ts';

interface ModelPickerProps {
  layout: ScreenLayout;
  onChoose: (model: ScreenModel) => void;
}

/** The layout models as small drawings; the current one is marked. */
export function ModelPicker({ layout, onChoose }: ModelPickerProps) {
  const t = useT();
  return (
    <div className="desk-models" role="group" aria-label={t('screen.layout.models')} onKeyDown={rove}>
      {SCREEN_MODELS.map((model) => {
        const isCurrent = model === layout.model;
        return (
          <button
            key={model}
            type="button"
            className="desk-model"
            aria-pressed={isCurrent}
            tabIndex={isCurrent ? 0 : -1}
            data-rove=""
            {...(isCurrent ? { 'data-first': '' } : {})}
            data-testid={`desk-layout-model-${model}`}
            onClick={() => onChoose(model)}
          >
            <ModelDrawing layout={isCurrent ? layout : { model, places: EXAMPLE }} />
            <span>{modelText(model, t)}</span>
          </button>
        );
      })}
    </div>
  );
}

/** Drawing for a CUSTOM layout without places: pictures that form no grid. */
const EXAMPLE: ScreenLayout['places'] = [
  { x: 0, y: 0, width: 0.66, height: 0.58 },
  { x: 0.69, y: 0, width: 0.31, height: 0.27 },
  { x: 0.69, y: 0.31, width: 0.31, height: 0.27 },
  { x: 0, y: 0.62, width: 0.31, height: 0.38 },
  { x: 0.34, y: 0.62, width: 0.66, height: 0.38 },
];

const [WIDTH, HEIGHT] = [64, 36];

function ModelDrawing({ layout }: { layout: Pick<ScreenLayout, 'model' | 'places'> }) {
  const isAlone = layout.model === 'AUTO';
  return (
    <svg className="desk-model-drawing" viewBox={`-1 -1 ${WIDTH + 2} ${HEIGHT + 2}`} aria-hidden="true">
      {drawnPlaces(layout).map(({ x, y, width, height }, at) => (
        <rect
          // oxlint-disable-next-line react/no-array-index-key -- Seats have no name but their number.
          key={at}
          className={at === 0 && !isAlone ? 'desk-model-first' : ''}
          x={x * WIDTH}
          y={y * HEIGHT}
          width={width * WIDTH}
          height={height * HEIGHT}
          rx="1"
        />
      ))}
      {isAlone && <path d="M32 8l2.600 7.400L42 18l-7.400 2.600L32 28l-2.600-7.400L22 18l7.400-2.600z" />}
    </svg>
  );
}
