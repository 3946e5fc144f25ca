import type { Meeting, Room } from '@rmeet/contract';
import { Select } from 'antd';
import { useMemo, useState } from 'react';
import { language, useTexts } from '../../../lib/i18n/index.ts';
import { clockOf, daysWords, stateOf, intervalOf, type RoomState, type Interval } from '../../../lib/rooms/index.ts';
import { useFloors, useLiveOccupancy, useOccupancy } from '../../../lib/rooms/queries.ts';
import { useNow } from '../../../lib/useNow.ts';
import { Button } from '../../../ui/Button.tsx';
import { FormField } from '../../../ui/FormField.tsx';
import type { Draft } from '../booking/draft.ts';
import type { MeetingTexts } from '../format.ts';
import { placeWords, useRoomNames } from './roomNames.ts';

interface RoomPickerProps {
  draft: Pick<Draft, 'type' | 'startTime' | 'duration' | 'timeZone' | 'roomIds'>;
  /** The edited meeting: its own bookings do not count as conflicts. Null for a new one. */
  meeting: Meeting | null;
  error: string | undefined;
  onChange: (roomIds: readonly string[]) => void;
}

/** State of a room at the chosen time; past time is neither free nor occupied. */
type State = RoomState | { kind: 'past' };

interface Choice {
  label: string;
  /** For a group: its rooms. */
  options?: Choice[];
  value?: string;
  /** Searchable text: room, building and floor. */
  words?: string;
  room?: Room;
  state?: State | null;
  /** The time zone in which times are shown. */
  zone?: string;
}

/**
 * Meeting rooms by building and floor; shows whether each is available at the chosen time, and warns immediately if a
 * chosen one is not.
 */
// oxlint-disable-next-line max-lines-per-function -- one field: its options and warnings come from the same states
export function RoomPicker({ draft, meeting, error, onChange }: RoomPickerProps) {
  const t = useTexts('meetings');
  const [isOpen, setIsOpen] = useState(false);
  const now = useNow();
  const floors = useFloors();
  useLiveOccupancy();
  const nameOf = useRoomNames(meeting?.rooms);
  const groups = useMemo(
    () =>
      (floors.data ?? []).flatMap(({ building, floors: storeys }) =>
        storeys.map(({ floor, rooms }) => {
          const place = placeWords({ building: building.name, floor }, t);
          return { place, rooms: rooms.map((room) => ({ room, words: `${room.name} ${place}`.toLowerCase() })) };
        }),
      ),
    [floors.data, t],
  );
  const rooms = useMemo(
    () => new Map(groups.flatMap((group) => group.rooms.map(({ room }) => [room.id, room]))),
    [groups],
  );

  const wanted = intervalOfDraft(draft);
  // All rooms are checked only while the list is open.
  const taken = useOccupancy(isOpen ? [...rooms.keys()] : draft.roomIds, wanted, meeting?.meetId).data;
  const isPast = wanted !== null && wanted.end <= now;
  const stateById = (id: string): State | null => {
    if (isPast) return { kind: 'past' };
    const room = rooms.get(id);
    return room && wanted && taken?.has(id) ? stateOf(room, taken.get(id) ?? [], wanted) : null;
  };
  const warnings = draft.roomIds.flatMap((id) => {
    const state = stateById(id);
    return state === null || state.kind === 'free' || state.kind === 'past'
      ? []
      : [t('rooms.cannot', { room: nameOf(id), why: stateWords(state, draft.timeZone, t) })];
  });
  const options = groups.map((group): Choice => ({
    label: group.place,
    options: group.rooms.map(({ room, words }) => ({
      value: room.id,
      label: room.name,
      words,
      room,
      state: isOpen ? stateById(room.id) : null,
      zone: draft.timeZone,
    })),
  }));
  const isMissing = floors.isError && !floors.data;

  return (
    <FormField
      label={t('form.rooms')}
      required={draft.type === 'LOCAL_MEETING'}
      error={error ?? (warnings.length > 0 ? warnings.join('\n') : undefined)}
      hint={t(wanted ? 'form.roomsHint' : 'form.roomsHintTime')}
    >
      {(control) => (
        <Select<string[], Choice>
          {...control}
          mode="multiple"
          value={[...draft.roomIds]}
          options={options}
          loading={floors.isPending}
          placeholder={t(draft.type === 'LOCAL_MEETING' ? 'form.roomsNeeded' : 'form.roomsPlaceholder')}
          maxTagTextLength={24}
          notFoundContent={
            isMissing ? (
              <span className="booking-room-missing">
                {t('rooms.failed')}
                <Button onClick={() => void floors.refetch()}>{t('rooms.retry')}</Button>
              </span>
            ) : (
              t(floors.isPending ? 'rooms.loading' : rooms.size === 0 ? 'rooms.none' : 'rooms.noMatch')
            )
          }
          showSearch={{
            filterOption: (typed, option) =>
              typed
                .toLowerCase()
                .trim()
                .split(/\s+/)
                .every((word) => option?.words?.includes(word) === true),
          }}
          data-testid="meeting-rooms"
          labelRender={({ value }) => nameOf(String(value))}
          optionRender={renderRoom}
          onOpenChange={setIsOpen}
          onChange={onChange}
        />
      )}
    </FormField>
  );
}

function renderRoom({ data }: { data: Choice }) {
  return <RoomOption {...data} />;
}

function RoomOption({ label, room, state, zone = '' }: Choice) {
  const t = useTexts('meetings');
  return (
    <span className="booking-room" data-testid="meeting-room-option">
      <span>{label}</span>
      {room && <small>{t('rooms.seats', { seats: room.capacity })}</small>}
      {state && (
        <small className={`booking-room-${state.kind}`} data-testid="meeting-room-state">
          {stateWords(state, zone, t)}
        </small>
      )}
    </span>
  );
}

/** Whether a room is available, as text. */
function stateWords(state: State, zone: string, t: MeetingTexts): string {
  if (state.kind === 'free' || state.kind === 'past') return t(`rooms.${state.kind}`);
  if (state.kind === 'taken') {
    const { start, end } = intervalOf(state.by);
    return t('rooms.taken', { host: state.by.host, from: clockOf(start, zone), until: clockOf(end, zone) });
  }
  const { days, from, until } = state.opening;
  return t('rooms.closed', { days: daysWords(days, language()), from, until });
}

/** The time of a draft; null if it is incomplete. */
function intervalOfDraft({ startTime, duration }: Pick<Draft, 'startTime' | 'duration'>): Interval | null {
  if (startTime === null || duration === null || duration <= 0) return null;
  const start = Date.parse(startTime);
  return { start, end: start + duration * 60_000 };
}
