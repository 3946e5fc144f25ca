import { Select } from 'antd';
import { useTexts } from '../../lib/i18n/index.ts';
import type { ControlProps } from '../../ui/FormField.tsx';
import { groupRooms } from './draft.ts';
import { useRooms } from './queries.ts';

interface RoomSelectProps {
  /** Null: none. */
  value: string | null;
  onChange: (roomId: string | null) => void;
  placeholder: string;
  /** The terminal's room as text, if it can no longer be chosen. */
  known?: { id: string; label: string } | undefined;
  /** An option before all rooms. */
  first?: { value: string; label: string } | undefined;
  /** In a form: the props that connect it to its label. */
  control?: ControlProps;
  /** Outside of forms: its accessible name. */
  label?: string;
  size?: 'medium';
  className?: string;
  testId: string;
}

/** A room select, grouped by building; the search covers room and building. */
export function RoomSelect({
  value,
  onChange,
  placeholder,
  known,
  first,
  control,
  label,
  size,
  className,
  testId,
}: RoomSelectProps) {
  const t = useTexts('terminals');
  const rooms = useRooms();
  const groups = groupRooms(rooms.data ?? []);
  const own = first ? [{ ...first, found: first.label }] : [];
  const isKnown =
    known === undefined || groups.some(({ options }) => options.some((option) => option.value === known.id));
  return (
    <Select
      {...control}
      {...(label === undefined ? {} : { 'aria-label': label })}
      {...(size === undefined ? {} : { size })}
      {...(className === undefined ? {} : { className })}
      value={value}
      options={
        isKnown
          ? [...own, ...groups]
          : [
              ...own,
              ...groups,
              { label: known.label, options: [{ value: known.id, label: known.label, found: known.label }] },
            ]
      }
      showSearch={{ optionFilterProp: 'found' }}
      allowClear
      loading={rooms.isPending}
      placeholder={placeholder}
      notFoundContent={t('form.roomNone')}
      popupMatchSelectWidth={false}
      data-testid={testId}
      onChange={(roomId: string | null | undefined) => onChange(roomId ?? null)}
    />
  );
}
