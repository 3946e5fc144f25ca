import { Select } from 'antd';
import { useState } from 'react';
import { useTexts } from '../../../lib/i18n/index.ts';
import { useInvitees } from '../../../lib/invitees.ts';
import { useDebouncedValue } from '../../../ui/useDebouncedValue.ts';
import type { ControlProps } from '../../../ui/FormField.tsx';
import { participantKey, type Invited } from '../booking/draft.ts';
import { participantName } from '../format.ts';
import { BUSY_SIGN, busyWords, useBusy, type BusyAt } from './busy.ts';

const MAIL = /^[^\s@,;]+@[^\s@,;]+\.[^\s@,;]{2,}$/;

interface ParticipantPickerProps {
  control: ControlProps;
  value: readonly Invited[];
  /** The time at which people should be free; null if unknown. */
  at: BusyAt | null;
  onChange: (participants: readonly Invited[]) => void;
}

interface Choice {
  value: string;
  label: string;
  /** Shown beside the name in the list, but not for chosen people. */
  detail?: string;
  /** The person's other meetings at that time. */
  busy?: string | undefined;
  participant: Invited;
}

/** Finds people of the tenant by name or account, and accepts outside mail addresses; marks people who are busy. */
export function ParticipantPicker({ control, value, at, onChange }: ParticipantPickerProps) {
  const t = useTexts('meetings');
  const [typed, setTyped] = useState('');
  const keyword = useDebouncedValue(typed.trim());
  const search = useInvitees(keyword);
  const found = keyword === '' ? [] : (search.data ?? []);
  const busy = useBusy(
    [...value.flatMap((one) => (one.kind === 'user' ? [one.userId] : [])), ...found.map(({ userId }) => userId)],
    at,
  );

  const choiceOf = (participant: Invited, detail?: string): Choice => {
    const meetings = participant.kind === 'user' ? busy.get(participant.userId)?.meetings : undefined;
    return {
      value: participantKey(participant),
      label: participantName(participant),
      participant,
      ...(detail ? { detail } : {}),
      ...(meetings && at ? { busy: busyWords(meetings, at.timeZone, t) } : {}),
    };
  };
  const people = found.map(({ userId, name, account, department }): Choice =>
    choiceOf({ kind: 'user', userId, name }, [account, department].filter(Boolean).join(' · ')),
  );
  const address = typed.trim();
  const choices = MAIL.test(address)
    ? [{ ...choiceOf({ kind: 'mail', email: address }), detail: t('form.inviteMail', { email: '' }).trim() }, ...people]
    : people;
  const chosen = value.map((one) => choiceOf(one));

  return (
    <Select<Choice[], Choice>
      {...control}
      mode="multiple"
      labelInValue
      // Chosen busy people have a mark; names and times are listed below.
      value={chosen.map((choice) =>
        choice.busy === undefined ? choice : { ...choice, label: `${BUSY_SIGN} ${choice.label}` },
      )}
      options={choices}
      placeholder={t('form.participantsPlaceholder')}
      notFoundContent={t(notFoundKey(address, search.isFetching || address !== keyword))}
      showSearch={{ filterOption: false, searchValue: typed, onSearch: setTyped, autoClearSearchValue: true }}
      maxTagTextLength={24}
      data-testid="meeting-participants"
      optionRender={renderChoice}
      onChange={(picked) => {
        // Looked up by value, because antd knows no label for options that were never in its list, such as people of a
        // department.
        const known = new Map([...choices, ...chosen].map((choice) => [choice.value, choice.participant]));
        onChange(picked.flatMap(({ value: key }) => known.get(key) ?? []));
        setTyped('');
      }}
    />
  );
}

function renderChoice({ data: { label, detail, busy } }: { data: Choice }) {
  return (
    <span className="booking-person">
      <span>{label}</span>
      <small>{detail}</small>
      {busy !== undefined && (
        <small className="booking-person-busy">
          {BUSY_SIGN} {busy}
        </small>
      )}
    </span>
  );
}

function notFoundKey(typed: string, searching: boolean): 'form.typeToSearch' | 'form.searching' | 'form.noMatch' {
  if (typed === '') return 'form.typeToSearch';
  return searching ? 'form.searching' : 'form.noMatch';
}
