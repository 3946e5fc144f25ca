import { Select } from 'antd';
import { useState } from 'react';
import { useInvitees } from '../../lib/invitees.ts';
import { useDebouncedValue } from '../useDebouncedValue.ts';
import { useT } from './texts.ts';
import './grants.css';

export interface Person {
  userId: string;
  name: string;
}

interface PersonSearchProps {
  labelledBy: string;
  /** Ids of people to exclude. */
  without: ReadonlySet<string>;
  disabled: boolean;
  onPick: (person: Person) => void;
}

/** A search for one person of the organisation. */
export function PersonSearch({ labelledBy, without, disabled, onPick }: PersonSearchProps) {
  const t = useT();
  const [typed, setTyped] = useState('');
  const wanted = typed.trim();
  const keyword = useDebouncedValue(wanted);
  const search = useInvitees(keyword);
  const people = keyword === '' ? [] : (search.data ?? []).filter(({ userId }) => !without.has(userId));
  const empty = search.isFetching || wanted !== keyword ? 'searching' : 'noMatch';

  return (
    <Select
      className="grants-search"
      aria-labelledby={labelledBy}
      value={null}
      disabled={disabled}
      placeholder={t('search')}
      // Inside a modal dialog, because the rest of the page is inert.
      getPopupContainer={(select: HTMLElement) => select.closest('dialog') ?? document.body}
      notFoundContent={t(wanted === '' ? 'typeToSearch' : empty)}
      showSearch={{ filterOption: false, searchValue: typed, onSearch: setTyped }}
      options={people.map(({ userId, name, account, department }) => ({
        value: userId,
        label: [name, account, department].filter(Boolean).join(' · '),
      }))}
      data-testid="grant-search"
      onChange={(userId: string | null) => {
        const person = people.find((one) => one.userId === userId);
        setTyped('');
        if (person) onPick(person);
      }}
    />
  );
}
