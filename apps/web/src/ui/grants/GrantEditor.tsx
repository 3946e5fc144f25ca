import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { api } from '../../lib/api/index.ts';
import { toast } from '../../lib/notify.ts';
import { Button } from '../Button.tsx';
import { PersonSearch, type Person } from './PersonSearch.tsx';
import { useT } from './texts.ts';
import './grants.css';

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

function useGrantChange(meetId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ person, rights }: { person: Person; rights: 'control' | 'none' }) =>
      api.conferences.grantAuth({ query: { meetId }, body: { userIds: [person.userId], rights } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['meetings'] }),
  });
}
