import { ROOM_EQUIPMENT } from '@rmeet/contract';
import { DatePicker, Select as ManySelect } from 'antd';
import dayjs from 'dayjs';
import { useTexts } from '../../../lib/i18n/index.ts';
import { shiftDay } from '../../../lib/rooms/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Select } from '../../../ui/Select.tsx';
import { SEATS, equipmentOf, type BoardState, type Equipment, type Floors } from './board.ts';
import { floorWords } from './useBoard.ts';

interface BoardFiltersProps {
  buildings: readonly Floors[];
  chosen: Floors | null;
  state: BoardState;
  /** The day shown. */
  day: string;
  today: string;
  isPhone: boolean;
  onState: (change: Partial<BoardState>) => void;
}

/** Filters for place, day and required equipment. */
// oxlint-disable-next-line max-lines-per-function -- plain JSX
export function BoardFilters({ buildings, chosen, state, day, today, isPhone, onState }: BoardFiltersProps) {
  const t = useTexts('occupy');
  const floors = chosen?.floors ?? [];
  // Today is left out of the URL, so that the URL still means today tomorrow.
  const goTo = (next: string) => onState({ day: next === today ? '' : next });
  return (
    <div className="list-toolbar occupy-toolbar">
      <Select
        label={t('building')}
        value={chosen?.building.id ?? ''}
        options={buildings.map(({ building }) => ({ value: building.id, label: building.name }))}
        onChange={(building) => onState({ building, floor: '' })}
        data-testid="occupy-building"
      />
      <Select
        label={t('floor')}
        value={floors.some(({ floor }) => floor === state.floor) ? state.floor : ''}
        options={[
          { value: '', label: t('floorAll') },
          ...floors
            .filter(({ floor }) => floor !== '')
            .map(({ floor }) => ({ value: floor, label: floorWords(floor, t) })),
        ]}
        onChange={(floor) => onState({ floor })}
        data-testid="occupy-floor"
      />
      <DaySteps day={day} today={today} isPhone={isPhone} goTo={goTo} />
      <Select
        label={t('seatsAtLeast')}
        value={state.seats}
        options={[
          { value: '', label: t('seatsAny') },
          ...SEATS.map((seats) => ({ value: seats, label: t('seatsFrom', { seats }) })),
        ]}
        onChange={(seats) => onState({ seats: SEATS.find((known) => known === seats) ?? '' })}
        data-testid="occupy-seats"
      />
      <ManySelect<Equipment[]>
        className="occupy-equipment-filter"
        mode="multiple"
        aria-label={t('equipmentTitle')}
        value={[...equipmentOf(state)]}
        options={ROOM_EQUIPMENT.map((value) => ({ value, label: t(`equipment.${value}`) }))}
        placeholder={t('equipmentAny')}
        maxTagCount="responsive"
        showSearch={false}
        allowClear
        data-testid="occupy-equipment"
        onChange={(kinds) => onState({ equipment: kinds.join() })}
      />
      {!isPhone && (
        <label className="occupy-whole">
          <input
            type="checkbox"
            checked={state.hours === 'all'}
            data-testid="occupy-whole"
            onChange={({ target }) => onState({ hours: target.checked ? 'all' : '' })}
          />
          {t('wholeDay')}
        </label>
      )}
    </div>
  );
}

interface DayStepsProps {
  day: string;
  today: string;
  isPhone: boolean;
  goTo: (day: string) => void;
}

/** The day shown, with buttons for the previous and the next day. */
function DaySteps({ day, today, isPhone, goTo }: DayStepsProps) {
  const t = useTexts('occupy');
  return (
    <div className="occupy-days" role="group" aria-label={t('day')}>
      <IconButton
        icon="down"
        className="occupy-previous"
        label={t('previousDay')}
        data-testid="occupy-previous"
        onClick={() => goTo(shiftDay(day, -1))}
      />
      <DatePicker
        value={dayjs(day)}
        format="YYYY-MM-DD ddd"
        allowClear={false}
        inputReadOnly={isPhone}
        aria-label={t('day')}
        data-testid="occupy-day"
        onChange={(next) => next && goTo(next.format('YYYY-MM-DD'))}
      />
      <IconButton
        icon="down"
        className="occupy-next"
        label={t('nextDay')}
        data-testid="occupy-next"
        onClick={() => goTo(shiftDay(day, 1))}
      />
      <Button disabled={day === today} data-testid="occupy-today" onClick={() => goTo(today)}>
        {t('today')}
      </Button>
    </div>
  );
}
