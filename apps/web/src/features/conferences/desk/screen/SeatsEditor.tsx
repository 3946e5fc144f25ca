import { nameableSeats, type ScreenLayout, type ScreenSeat, type SeatPlace } from '@rmeet/conference';
import { useRef, useState, type DragEvent, type KeyboardEvent } from 'react';
import { DRAGGED } from '../model/drag-type.ts';
import { useNames } from '../side/useNames.ts';
import { useT } from '../texts.tsx';
import { drawnPlaces } from './model/places.ts';
import { freeSeat, seated, vacated } from './model/seats.ts';
import { isSource, Tray } from './Tray.tsx';

interface SeatsEditorProps {
  layout: ScreenLayout;
  /** termIds currently seen in each seat, by seat number. */
  shown: ReadonlyMap<number, string>;
  onSeats: (seats: ScreenSeat[]) => void;
}

/** Assigns terminals to seats: by dragging from the list or the tray, or by selecting a seat and then a terminal. */
// oxlint-disable-next-line max-lines-per-function -- Choosing, placing and focusing share the board's state.
export function SeatsEditor({ layout, shown, onSeats }: SeatsEditorProps) {
  const t = useT();
  const nameOf = useNames();
  const [chosen, setChosen] = useState<number | null>(null);
  const board = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const most = nameableSeats(layout);
  const current = chosen !== null && chosen <= most ? chosen : null;
  const sources = new Map(layout.seats.map(({ seat, source }) => [seat, source]));
  const sourceName = (source: string): string =>
    isSource(source) ? t(`screen.source.${source}`) : (nameOf(source) ?? t('log.somebody'));

  const focusSeat = (seat: number) => board.current?.querySelector<HTMLElement>(`[data-seat="${seat}"]`)?.focus();
  const put = (seat: number, source: string) => {
    if (sources.get(seat) !== source) onSeats(seated(layout, seat, source));
  };
  const clear = (seat: number) => {
    if (sources.has(seat)) onSeats(vacated(layout, seat));
    focusSeat(seat);
  };
  const choose = (seat: number, byKey: boolean) => {
    setChosen(current === seat && !byKey ? null : seat);
    if (byKey) box.current?.querySelector<HTMLElement>('[data-tray] input, [data-tray] button')?.focus();
  };
  const take = (source: string, byKey: boolean) => {
    const seat = current ?? freeSeat(layout) ?? 1;
    put(seat, source);
    setChosen(null);
    if (byKey) focusSeat(seat);
  };

  return (
    <div ref={box} className="desk-seating">
      <div
        ref={board}
        className="desk-board"
        role="group"
        aria-label={t('screen.seats.title')}
        data-testid="desk-seats"
      >
        {drawnPlaces(layout).map((place, at) => {
          const seat = at + 1;
          if (seat > most)
            return <span key={seat} className="desk-seat desk-seat-rest" style={styleOf(place)} aria-hidden="true" />;
          const source = sources.get(seat) ?? null;
          const seen = shown.get(seat) ?? null;
          return (
            <Seat
              key={seat}
              seat={seat}
              place={place}
              source={source}
              name={source === null ? null : sourceName(source)}
              seen={seen === null ? null : nameOf(seen)}
              isChosen={current === seat}
              onChoose={(byKey) => choose(seat, byKey)}
              onPut={(dropped) => put(seat, dropped)}
              onClear={() => clear(seat)}
            />
          );
        })}
      </div>
      <Tray forSeat={current} seats={layout.seats} onTake={take} />
    </div>
  );
}

const styleOf = ({ x, y, width, height }: SeatPlace) => ({
  left: `${x * 100}%`,
  top: `${y * 100}%`,
  width: `${width * 100}%`,
  height: `${height * 100}%`,
});

interface SeatProps {
  seat: number;
  place: SeatPlace;
  /** The source assigned to this seat; null if it fills by itself. */
  source: string | null;
  name: string | null;
  /** Who is currently seen here. */
  seen: string | null;
  isChosen: boolean;
  onChoose: (byKey: boolean) => void;
  onPut: (source: string) => void;
  onClear: () => void;
}

/** Below this share of the screen's width, a seat has room for a short name only. */
const SMALL = 0.26;

function Seat({ seat, place, source, name, seen, isChosen, onChoose, onPut, onClear }: SeatProps) {
  const t = useT();
  const [isOver, setOver] = useState(false);
  const takes = (event: DragEvent) => event.dataTransfer.types.includes(DRAGGED);
  const keys = (event: KeyboardEvent) => {
    if (event.key !== 'Delete' && event.key !== 'Backspace') return;
    event.preventDefault();
    onClear();
  };
  const label =
    name === null
      ? t('screen.seats.free', { seat, seen: seen ?? t('screen.seats.nobody') })
      : t('screen.seats.named', { seat, name });
  return (
    <div
      className={seatClass({ isNamed: name !== null, isChosen, isOver, isSmall: place.width < SMALL })}
      style={styleOf(place)}
      data-testid={`desk-seat-${seat}`}
      data-source={source ?? ''}
      onDragOver={(event) => {
        if (!takes(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        if (!takes(event)) return;
        event.preventDefault();
        onPut(event.dataTransfer.getData(DRAGGED));
      }}
    >
      <button
        type="button"
        className="desk-seat-button"
        aria-pressed={isChosen}
        title={label}
        data-seat={seat}
        draggable={source !== null}
        onKeyDown={keys}
        onClick={(event) => onChoose(event.detail === 0)}
        onDragStart={(event) => event.dataTransfer.setData(DRAGGED, source ?? '')}
      >
        <span className="visually-hidden">{label}</span>
        <span className="desk-seat-number" aria-hidden="true">
          {seat}
        </span>
        <span className="desk-seat-name" aria-hidden="true">
          {name ?? seen ?? ''}
        </span>
      </button>
      {source !== null && <ClearButton seat={seat} onClear={onClear} />}
    </div>
  );
}

function seatClass({
  isNamed,
  isChosen,
  isOver,
  isSmall,
}: Record<'isNamed' | 'isChosen' | 'isOver' | 'isSmall', boolean>) {
  const classes = [
    'desk-seat',
    isNamed && 'desk-seat-named',
    isChosen && 'desk-seat-chosen',
    isOver && 'desk-seat-over',
    isSmall && 'desk-seat-small',
  ];
  return classes.filter(Boolean).join(' ');
}

function ClearButton({ seat, onClear }: Pick<SeatProps, 'seat' | 'onClear'>) {
  const t = useT();
  return (
    <button
      type="button"
      className="desk-seat-clear"
      title={t('screen.seats.clear')}
      aria-label={t('screen.seats.clearOf', { seat })}
      data-testid={`desk-seat-clear-${seat}`}
      onClick={onClear}
    >
      ×
    </button>
  );
}
