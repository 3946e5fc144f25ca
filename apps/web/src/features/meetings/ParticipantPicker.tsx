import type { Participant } from '@rmeet/contract';
import { Select } from 'antd';
import { useEffect, useState } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { useInvitees } from '../../lib/invitees.ts';
import type { ControlProps } from '../../ui/FormField.tsx';
import { participantKey } from './draft.ts';
import { participantName } from './format.ts';

/** Milliseconds without a key before people are searched. */
const SEARCH_DELAY = 250;
const MAIL = /^[^\s@,;]+@[^\s@,;]+\.[^\s@,;]{2,}$/;

interface ParticipantPickerProps {
  control: ControlProps;
  value: readonly Participant[];
  onChange: (participants: readonly Participant[]) => void;
}

interface Choice {
  value: string;
  label: string;
  /** Said beside the name in the list, not in the chosen ones. */
  detail?: string;
  participant: Participant;
}

/** People of the tenant found by name or account, and outside people by their mail address. */
export function ParticipantPicker({ control, value, onChange }: ParticipantPickerProps) {
  const t = useTexts('meetings');
  const [typed, setTyped] = useState('');
  const keyword = useDelayed(typed.trim(), SEARCH_DELAY);
  const search = useInvitees(keyword);

  const people = (keyword === '' ? [] : (search.data ?? [])).map(
    ({ userId, name, account, department }): Choice => choiceOf({ kind: 'user', userId, name }, [account, department].filter(Boolean).join(' · ')),
  );
  const address = typed.trim();
  const choices = MAIL.test(address) ? [{ ...choiceOf({ kind: 'mail', email: address }), detail: t('form.inviteMail', { email: '' }).trim() }, ...people] : people;
  const chosen = value.map((one) => choiceOf(one));

  return (
    <Select<Choice[], Choice>
      {...control}
      mode="multiple"
      labelInValue
      value={chosen}
      options={choices}
      placeholder={t('form.participantsPlaceholder')}
      notFoundContent={t(notFoundKey(address, search.isFetching || address !== keyword))}
      showSearch={{ filterOption: false, searchValue: typed, onSearch: setTyped, autoClearSearchValue: true }}
      maxTagTextLength={24}
      data-testid="meeting-participants"
      optionRender={renderChoice}
      onChange={(_, options) => {
        const picked = [options ?? []].flat();
        // antd forgets what else it knew of choices that are not in the list any more.
        const known = new Map([...choices, ...chosen].map((choice) => [choice.value, choice.participant]));
        onChange(picked.flatMap((choice) => known.get(choice.value) ?? []));
        setTyped('');
      }}
    />
  );
}

function renderChoice({ data: { label, detail } }: { data: Choice }) {
  return (
    <span className="booking-person">
      <span>{label}</span>
      <small>{detail}</small>
    </span>
  );
}

function choiceOf(participant: Participant, detail?: string): Choice {
  const label = participantName(participant);
  return { value: participantKey(participant), label, participant, ...(detail ? { detail } : {}) };
}

function notFoundKey(typed: string, searching: boolean): 'form.typeToSearch' | 'form.searching' | 'form.noMatch' {
  if (typed === '') return 'form.typeToSearch';
  return searching ? 'form.searching' : 'form.noMatch';
}

/** A value that follows once it has rested. */
function useDelayed(value: string, delay: number): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delay);
    return () => clearTimeout(timer);
  }, [value, delay]);
  return settled;
}
