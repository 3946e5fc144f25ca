import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Select } from 'antd';
import { useId, useState } from 'react';
import { api } from '../../lib/api/index.ts';
import { useInvitees } from '../../lib/invitees.ts';
import { toast } from '../../lib/notify.ts';
import { Button } from '../Button.tsx';
import { useDebouncedValue } from '../useDebouncedValue.ts';
import { useT } from './texts.ts';
import './grants.css';

interface Person {
  userId: string;
  name: string;
}

interface GrantEditorProps {
  meetId: string;
  /** The host, who needs no grant. */
  hostId: string;
  granted: readonly Person[];
}

/** The deputies of a meeting's host: people are added and removed one by one, with immediate effect. */
export function GrantEditor({ meetId, hostId, granted }: GrantEditorProps) {
  const t = useT();
  const id = useId();
  const change = useGrantChange(meetId);
  const known = new Set([hostId, ...granted.map(({ userId }) => userId)]);

  return (
    <section aria-labelledby={id} className="grants" data-testid="grants">
      <h3 id={id}>{t('title')}</h3>
      <p className="grants-lead">{t('lead')}</p>
      {granted.length === 0 ? (
        <p>{t('none')}</p>
      ) : (
        <ul>
          {granted.map((person) => (
            <li key={person.userId} data-testid={`granted-${person.userId}`}>
              <span>{person.name}</span>
              <Button
                kind="quiet"
                busy={change.isPending}
                aria-label={t('takeBackFrom', { name: person.name })}
                data-testid="grant-take-back"
                onClick={() =>
                  change.mutate(
                    { person, rights: 'none' },
                    { onSuccess: () => toast('success', () => t('takenBack', { name: person.name })) },
                  )
                }
              >
                {t('takeBack')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <PersonSearch
        labelledBy={id}
        without={known}
        disabled={change.isPending}
        onPick={(person) =>
          change.mutate(
            { person, rights: 'control' },
            { onSuccess: () => toast('success', () => t('granted', { name: person.name })) },
          )
        }
      />
    </section>
  );
}

interface PersonSearchProps {
  labelledBy: string;
  /** Ids of people to exclude. */
  without: ReadonlySet<string>;
  disabled: boolean;
  onPick: (person: Person) => void;
}

function PersonSearch({ labelledBy, without, disabled, onPick }: PersonSearchProps) {
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

function useGrantChange(meetId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ person, rights }: { person: Person; rights: 'control' | 'none' }) =>
      api.conferences.grantAuth({ query: { meetId }, body: { userIds: [person.userId], rights } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['meetings'] }),
  });
}
