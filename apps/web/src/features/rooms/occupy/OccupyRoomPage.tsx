import { useMemo, useState } from 'react';
import { useLanguage, useTexts } from '../../../lib/i18n/index.ts';
import { useListState } from '../../../lib/listState.ts';
import { dayOf, offsetName, offsetOf, ownZone } from '../../../lib/rooms/index.ts';
import { useFloors, useLiveOccupancy, useOccupancy } from '../../../lib/rooms/queries.ts';
import { useMediaQuery } from '../../../lib/useMediaQuery.ts';
import { AdminPage } from '../../../ui/admin/AdminPage.tsx';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState, ErrorState } from '../../../ui/states.tsx';
import { boardShape, dayInterval, hoursShown, roomsShown, type BoardState, type Floors } from './board.ts';
import { BoardFilters } from './BoardFilters.tsx';
import { NoRooms } from './NoRooms.tsx';
import { BoardSkeleton, RoomGrid } from './RoomGrid.tsx';
import { RoomList } from './RoomList.tsx';
import { useNow } from '../../../lib/useNow.ts';
import './texts.ts';
import './occupy.css';
import './track.css';

/** Occupancy of meeting rooms, and booking. All its state is in the URL. */
export function OccupyRoomPage() {
  const t = useTexts('occupy');
  const [state, setState] = useListState(boardShape);
  const found = useFloors();
  useLiveOccupancy();
  const buildings = (found.data ?? []).filter(({ floors }) => floors.some(({ rooms }) => rooms.length > 0));
  const chosen = buildings.find(({ building }) => building.id === state.building) ?? buildings[0];

  return (
    <AdminPage title={t('title')}>
      {found.isError && !found.data ? (
        <ErrorState retry={() => void found.refetch()} />
      ) : found.isSuccess && !chosen ? (
        <NoRooms />
      ) : (
        <Board buildings={buildings} chosen={chosen ?? null} state={state} onState={setState} />
      )}
    </AdminPage>
  );
}

interface BoardProps {
  buildings: readonly Floors[];
  /** Null while buildings are loading. */
  chosen: Floors | null;
  state: BoardState;
  onState: (change: Partial<BoardState>) => void;
}

function Board({ buildings, chosen, state, onState }: BoardProps) {
  const t = useTexts('occupy');
  const now = useNow();
  const isPhone = useMediaQuery('(max-width: 767px)');
  const zone = chosen?.building.timeZone ?? ownZone();
  const day = state.day === '' ? dayOf(now, zone) : state.day;
  const floors = useMemo(() => (chosen ? roomsShown(chosen, state) : []), [chosen, state]);
  const rooms = useMemo(() => floors.flatMap((floor) => floor.rooms), [floors]);
  const whole = useMemo(() => dayInterval(day, zone), [day, zone]);
  // All rooms of the building, so that a change of filter needs no request.
  const ids = useMemo(() => (chosen?.floors ?? []).flatMap((floor) => floor.rooms.map(({ id }) => id)), [chosen]);
  const occupancy = useOccupancy(ids, chosen ? whole : null);
  const taken = occupancy.data ?? null;
  const hours = state.hours === 'all' ? whole : hoursShown(rooms, taken ?? new Map<string, never>(), day, zone);

  // The keyboard cursor is at the same time in all rooms, so that Up and Down compare rooms.
  const [cursor, setCursor] = useState<{ at: number; halves: number } | null>(null);

  return (
    <>
      <BoardFilters
        buildings={buildings}
        chosen={chosen}
        state={state}
        day={day}
        today={dayOf(now, zone)}
        isPhone={isPhone}
        onState={onState}
      />
      <BoardNotes chosen={chosen} zone={zone} at={whole.start} rooms={rooms.length} isPhone={isPhone} />
      {occupancy.isError && !taken ? (
        <ErrorState retry={() => void occupancy.refetch()} />
      ) : chosen === null ? (
        <BoardSkeleton />
      ) : rooms.length === 0 ? (
        <EmptyState title={t('empty.filtered')} hint={t('empty.filteredHint')} picture="list">
          <Button data-testid="occupy-clear" onClick={() => onState({ floor: '', seats: '', equipment: '' })}>
            {t('empty.clear')}
          </Button>
        </EmptyState>
      ) : isPhone ? (
        <RoomList floors={floors} taken={taken} day={whole} zone={zone} now={now} />
      ) : (
        <RoomGrid
          floors={floors}
          taken={taken}
          hours={hours}
          zone={zone}
          now={now}
          cursor={cursor}
          onCursor={setCursor}
        />
      )}
    </>
  );
}

interface BoardNotesProps {
  chosen: Floors | null;
  zone: string;
  at: number;
  rooms: number;
  isPhone: boolean;
}

/** The number of rooms, the legend, and the time zone if it is not the reader's. */
function BoardNotes({ chosen, zone, at, rooms, isPhone }: BoardNotesProps) {
  const t = useTexts('occupy');
  const language = useLanguage();
  const isElsewhere = offsetOf(at, zone) !== offsetOf(at, ownZone());
  return (
    <div className="occupy-notes">
      <span role="status" data-testid="occupy-count">
        {chosen === null ? '' : t('count', { count: rooms })}
      </span>
      {chosen !== null && isElsewhere && (
        <strong data-testid="occupy-zone">
          {t('zone', {
            building: chosen.building.name,
            zone: zoneName(at, zone, language),
            offset: offsetName(at, zone),
          })}
        </strong>
      )}
      {!isPhone && (
        <ul className="occupy-legend">
          {(['free', 'own', 'taken', 'closed', 'past'] as const).map((kind) => (
            <li key={kind}>
              <span className={`occupy-swatch occupy-${kind}`} aria-hidden="true" />
              {t(`legend.${kind}`)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The name of a time zone in a language: `China Standard Time`. */
function zoneName(at: number, zone: string, language: string): string {
  const parts = new Intl.DateTimeFormat(language, { timeZone: zone, timeZoneName: 'long' }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone;
}
