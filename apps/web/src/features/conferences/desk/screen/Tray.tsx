import { SEAT_SOURCES, type ScreenSeat, type SeatSource } from '@rmeet/conference';
import { useId, useState } from 'react';
import { useDeskPart } from '../context.ts';
import { Icon, type IconName } from '../../../../ui/icons.tsx';
import { DRAGGED } from '../model/drag-type.ts';
import { useT } from '../texts.tsx';
import { rove } from './Choices.tsx';

const SOURCE_ICONS: Record<SeatSource, IconName> = { POLL: 'turns', SPEAKER: 'air', CONTENT: 'share' };
/** Maximum number of entries shown; others are found by search. */
const MOST_SHOWN = 60;
/** Up to this number, no search field is needed. */
const FEW = 8;

export const isSource = (source: string): source is SeatSource => (SEAT_SOURCES as readonly string[]).includes(source);

interface TrayProps {
  /** The selected seat; null if none is selected. */
  forSeat: number | null;
  seats: readonly ScreenSeat[];
  /** `byKey`: chosen by keyboard, so that the focus returns to the seat. */
  onTake: (source: string, byKey: boolean) => void;
}

/** Sources for seats: dragged onto a seat, or pressed after a seat was selected. */
export function Tray({ forSeat, seats, onTake }: TrayProps) {
  const t = useT();
  const id = useId();
  const rows = useDeskPart((snapshot) => snapshot.rows);
  const [typed, setTyped] = useState('');
  const word = typed.trim().toLocaleLowerCase();
  const found = rows.filter(({ name }) => word === '' || name.toLocaleLowerCase().includes(word));
  const seatOf = (source: string): number | null => seats.find((each) => each.source === source)?.seat ?? null;
  const item = (source: string, name: string, icon: IconName | null) => {
    const seat = seatOf(source);
    return (
      <li key={source}>
        <button
          type="button"
          className="desk-tray-item"
          draggable
          data-rove=""
          data-testid={`desk-tray-${source}`}
          title={name}
          onClick={(event) => onTake(source, event.detail === 0)}
          onDragStart={(event) => event.dataTransfer.setData(DRAGGED, source)}
        >
          <Icon name={icon ?? 'drag'} size={16} />
          <span className="desk-tray-name">{name}</span>
          {seat !== null && <span className="desk-tag">{t('screen.seats.seat', { seat })}</span>}
        </button>
      </li>
    );
  };
  return (
    <div className="desk-tray" data-tray="">
      <p id={id} className="desk-sheet-hint" role="status">
        {forSeat === null ? t('screen.seats.hint') : t('screen.seats.forSeat', { seat: forSeat })}
      </p>
      {rows.length > FEW && (
        <input
          type="search"
          className="desk-tray-search"
          value={typed}
          placeholder={t('screen.seats.search')}
          aria-label={t('screen.seats.search')}
          data-testid="desk-tray-search"
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      <ul aria-labelledby={id} onKeyDown={rove}>
        {word === '' && SEAT_SOURCES.map((source) => item(source, t(`screen.source.${source}`), SOURCE_ICONS[source]))}
        {found.slice(0, MOST_SHOWN).map(({ termId, name }) => item(termId, name, null))}
        {rows.length === 0 && <li className="desk-sheet-hint">{t('list.empty')}</li>}
        {rows.length > 0 && found.length === 0 && <li className="desk-sheet-hint">{t('list.noMatch')}</li>}
        {found.length > MOST_SHOWN && (
          <li className="desk-sheet-hint">{t('screen.seats.more', { count: found.length - MOST_SHOWN })}</li>
        )}
      </ul>
    </div>
  );
}
