import { MOST_SEATS, type ScreenLayout } from '@rmeet/conference';
import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { DebouncedCall } from '../../../../lib/debounce.ts';
import { Button } from '../../../../ui/Button.tsx';
import { useT } from '../texts.tsx';
import { fromGrid, GRID, moved, resized, toGrid, withoutPlace, withPlace, type GridPlace } from './model/places.ts';

interface PlacesEditorProps {
  layout: ScreenLayout;
  onChange: (layout: ScreenLayout) => void;
}

/** Delay after the last arrow key; ms. Moving a place by keys sends one command, not one per key. */
const KEYS_REST = 500;
const ARROWS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The places of a CUSTOM layout: moved and resized by mouse or by arrow keys, on a grid of twelfths. */
// oxlint-disable-next-line max-lines-per-function -- Dragging, keys and the draft share one state.
export function PlacesEditor({ layout, onChange }: PlacesEditorProps) {
  const t = useT();
  const board = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  // The local change until it is sent; a change by another user replaces it.
  const [draft, setDraft] = useState<{ of: ScreenLayout['places']; places: readonly GridPlace[] } | null>(null);
  const [drag, setDrag] = useState<{ at: number; isResize: boolean; x: number; y: number; from: GridPlace } | null>(
    null,
  );
  const [keySteps] = useState(() => new DebouncedCall(KEYS_REST));
  /** The place that gets the focus once the number of places has changed. */
  const focusAt = useRef<number | null>(null);
  const send = useEffectEvent((places: readonly GridPlace[]) => onChange({ ...layout, places: places.map(fromGrid) }));

  const places =
    draft !== null && JSON.stringify(draft.of) === JSON.stringify(layout.places)
      ? draft.places
      : layout.places.map(toGrid);
  const current = chosen !== null && chosen < places.length ? chosen : null;
  const withChanged = (at: number, place: GridPlace): GridPlace[] =>
    places.map((each, index) => (index === at ? place : each));
  const show = (next: readonly GridPlace[]) => setDraft({ of: layout.places, places: next });

  // A pending move is sent even if the editor closes before the delay is over.
  useEffect(() => () => keySteps.flush(), [keySteps]);

  useEffect(() => {
    if (focusAt.current === null || focusAt.current >= places.length) return;
    board.current?.querySelectorAll<HTMLElement>('.desk-place')[focusAt.current]?.focus();
    focusAt.current = null;
  }, [places.length]);

  // The next change includes what the keys have moved.
  const change = (next: readonly GridPlace[]) => {
    keySteps.forget();
    setDraft(null);
    onChange({ ...layout, places: next.map(fromGrid) });
  };
  const remove = (at: number) => {
    if (places.length === 1) return;
    keySteps.forget();
    setDraft(null);
    focusAt.current = Math.max(0, at - 1);
    onChange(withoutPlace({ ...layout, places: places.map(fromGrid) }, at));
  };
  const add = () => {
    focusAt.current = places.length;
    change(withPlace(places));
  };

  const keys = (event: KeyboardEvent, at: number) => {
    const place = places[at];
    const step = ARROWS[event.key];
    if (place === undefined) return;
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      remove(at);
      return;
    }
    if (step === undefined) return;
    event.preventDefault();
    const next = withChanged(at, (event.shiftKey ? resized : moved)(place, ...step));
    show(next);
    keySteps.next(() => {
      setDraft(null);
      send(next);
    });
  };

  const press = (event: PointerEvent<HTMLElement>, at: number) => {
    const from = places[at];
    if (from === undefined || event.button !== 0) return;
    const isResize = (event.target as HTMLElement).dataset['resize'] !== undefined;
    event.currentTarget.setPointerCapture(event.pointerId);
    event.currentTarget.focus();
    setChosen(at);
    setDrag({ at, isResize, x: event.clientX, y: event.clientY, from });
  };
  const pull = (event: PointerEvent<HTMLElement>) => {
    const size = board.current?.getBoundingClientRect();
    if (drag === null || size === undefined) return;
    const [right, down] = [
      Math.round(((event.clientX - drag.x) / size.width) * GRID),
      Math.round(((event.clientY - drag.y) / size.height) * GRID),
    ];
    show(withChanged(drag.at, (drag.isResize ? resized : moved)(drag.from, right, down)));
  };
  const drop = () => {
    if (drag === null) return;
    setDrag(null);
    const place = places[drag.at];
    if (place !== undefined && JSON.stringify(place) !== JSON.stringify(drag.from)) change(places);
  };

  return (
    <div className="desk-custom">
      <div
        ref={board}
        className="desk-board desk-board-grid"
        role="group"
        aria-label={t('screen.places.title')}
        data-testid="desk-places"
      >
        {places.map(({ x, y, width, height }, at) => (
          <button
            // oxlint-disable-next-line react/no-array-index-key -- Places have no name but their number.
            key={at}
            type="button"
            className={current === at ? 'desk-place desk-place-chosen' : 'desk-place'}
            aria-pressed={current === at}
            data-testid={`desk-place-${at + 1}`}
            data-place={`${x} ${y} ${width} ${height}`}
            style={{
              left: `${(x / GRID) * 100}%`,
              top: `${(y / GRID) * 100}%`,
              width: `${(width / GRID) * 100}%`,
              height: `${(height / GRID) * 100}%`,
            }}
            onFocus={() => setChosen(at)}
            onBlur={() => keySteps.flush()}
            onKeyDown={(event) => keys(event, at)}
            onPointerDown={(event) => press(event, at)}
            onPointerMove={pull}
            onPointerUp={drop}
            onPointerCancel={() => setDrag(null)}
          >
            <span className="visually-hidden">
              {t('screen.places.place', { place: at + 1, column: x + 1, row: y + 1, width, height })}
            </span>
            <span aria-hidden="true">{at + 1}</span>
            <span className="desk-place-corner" data-resize="" aria-hidden="true" />
          </button>
        ))}
      </div>
      <div className="desk-custom-side">
        <p className="desk-sheet-hint">{t('screen.places.hint')}</p>
        <Button disabled={places.length >= MOST_SEATS} data-testid="desk-place-add" onClick={add}>
          {t('screen.places.add')}
        </Button>
        <Button
          disabled={current === null || places.length === 1}
          data-testid="desk-place-remove"
          onClick={() => current !== null && remove(current)}
        >
          {current === null ? t('screen.places.remove') : t('screen.places.removeOf', { place: current + 1 })}
        </Button>
        <p className="desk-sheet-hint" role="status">
          {t('screen.places.count', { count: places.length, most: MOST_SEATS })}
        </p>
      </div>
    </div>
  );
}
