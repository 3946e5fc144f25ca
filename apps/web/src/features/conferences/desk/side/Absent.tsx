import { useDesk, useDeskPart, useRights } from '../context.ts';
import { absentees } from '../model/absent.ts';
import { useStorePart } from '../../shared/use-store.ts';
import { ActionButton } from '../components/ActionButton.tsx';
import { useT } from '../texts.tsx';

/** Invited people who are not inside, with the state of their ring. */
export function Absent() {
  const t = useT();
  const desk = useDesk();
  const rights = useRights();
  // Two parts with stable identity, so that the list is computed again only if one of them changes.
  const invitees = useDeskPart(({ state }) => state.invitees);
  const terminals = useStorePart(desk.store, ({ state }) => state?.terminals);
  const absent = absentees({ invitees, terminals: terminals ?? [] });
  if (absent.length === 0) return <p className="desk-nothing">{t('absent.empty')}</p>;
  return (
    <ul className="desk-people">
      {absent.map(({ termId, userId, name, department, state, mail }) => (
        <li key={termId} data-testid={`desk-absent-${termId}`} data-state={state}>
          <div className="desk-person">
            <strong title={name}>{name}</strong>
            <small>
              {department === '' ? t('list.noDepartment') : department}
              {mail !== 'none' && ` · ${t(`absent.mail.${mail}`)}`}
            </small>
          </div>
          <span className={`desk-ring desk-ring-${state}`}>{t(`absent.${state}`)}</span>
          {rights.may('call') && (
            <ActionButton
              bare
              icon="call"
              size={18}
              label={t('absent.call', { name })}
              cannot={rights.cannot(userId === null ? 'mail' : 'call')}
              idle={state === 'ringing' ? t('absent.ringing') : null}
              data-testid={`desk-call-${termId}`}
              onAction={() => void desk.act({ verb: 'call', targets: [termId] })}
            />
          )}
        </li>
      ))}
    </ul>
  );
}
