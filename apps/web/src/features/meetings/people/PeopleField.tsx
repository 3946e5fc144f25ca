import type { Invitee } from '@rmeet/contract';
import { useId, useState } from 'react';
import { session } from '../../../lib/browser.ts';
import { language, useTexts } from '../../../lib/i18n/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { FormField } from '../../../ui/FormField.tsx';
import type { FieldsProps } from '../booking/fields.ts';
import { participantKey, type Draft, type Invited } from '../booking/draft.ts';
import { BUSY_SIGN, busyWords, useBusy, type BusyAt } from './busy.ts';
import { DepartmentPicker } from './DepartmentPicker.tsx';
import { GroupPicker } from './GroupPicker.tsx';
import { useMostPeople } from './mostPeople.ts';
import { ParticipantPicker } from './ParticipantPicker.tsx';
import './people.css';

type Panel = 'departments' | 'groups';

/** Number of busy people listed before the list must be expanded. */
const FEW = 5;

/** The invited people: by search, by department, by own group, or by mail address; shows who is busy. */
// oxlint-disable-next-line max-lines-per-function -- plain JSX
export function PeopleField({ meeting, draft, errors, onChange }: FieldsProps) {
  const t = useTexts('meetings');
  const id = useId();
  const [panel, setPanel] = useState<Panel | null>(null);
  const { participants } = draft;
  const at = busyAt(draft, meeting?.meetId);
  const most = useMostPeople(draft);
  // The host always takes part.
  const hostId = meeting?.host.userId ?? session.user?.id;

  const set = (next: readonly Invited[]) => onChange({ participants: next });
  const add = (people: readonly Invitee[]) => {
    const known = new Set(participants.map(participantKey));
    const wanted = people
      .filter(({ userId }) => userId !== hostId)
      .map(({ userId, name }) => ({ kind: 'user' as const, userId, name }));
    set([...participants, ...wanted.filter((one) => !known.has(participantKey(one)))]);
  };
  const remove = (people: readonly Invitee[]) => {
    const gone = new Set(people.map(({ userId }) => userId));
    set(participants.filter((one) => one.kind !== 'user' || !gone.has(one.userId)));
  };
  const userIds = participants.flatMap((one) => (one.kind === 'user' ? [one.userId] : []));

  return (
    <div className="people">
      <FormField
        label={t('people.label', { count: participants.length })}
        error={errors.participants}
        hint={
          most === undefined
            ? t('form.participantsHint')
            : t('people.hintMost', { value: most.toLocaleString(language()) })
        }
      >
        {(control) => <ParticipantPicker control={control} value={participants} at={at} onChange={set} />}
      </FormField>
      <div className="people-ways">
        {(['departments', 'groups'] as const).map((one) => (
          <Button
            key={one}
            aria-expanded={panel === one}
            aria-controls={panel === one ? `${id}-${one}` : undefined}
            data-testid={`people-${one}`}
            onClick={() => setPanel((now) => (now === one ? null : one))}
          >
            {t(`people.${one}`)}
          </Button>
        ))}
      </div>
      {panel === 'departments' && (
        <section id={`${id}-departments`} className="people-panel" aria-label={t('people.departments')}>
          <DepartmentPicker chosen={new Set(userIds)} hostId={hostId} onAdd={add} onRemove={remove} />
        </section>
      )}
      {panel === 'groups' && (
        <section id={`${id}-groups`} className="people-panel" aria-label={t('people.groups')}>
          <GroupPicker userIds={userIds} onAdd={add} />
        </section>
      )}
      <BusyNotes userIds={userIds} at={at} />
    </div>
  );
}

/** When people should be free; null if the form is incomplete. */
function busyAt(
  { startTime, duration, timeZone }: Pick<Draft, 'startTime' | 'duration' | 'timeZone'>,
  except: string | undefined,
): BusyAt | null {
  if (startTime === null || duration === null || duration <= 0) return null;
  return {
    from: startTime,
    until: new Date(Date.parse(startTime) + duration * 60_000).toISOString(),
    timeZone,
    except,
  };
}

/** Which invited people are busy, and when. This does not block the booking. */
function BusyNotes({ userIds, at }: { userIds: readonly string[]; at: BusyAt | null }) {
  const t = useTexts('meetings');
  const [showsAll, setShowsAll] = useState(false);
  const known = useBusy(userIds, at);
  const busy = userIds.flatMap((userId) => known.get(userId) ?? []);
  const shown = showsAll ? busy : busy.slice(0, FEW);
  return (
    <div className="people-busy" role="status" data-testid="people-busy">
      {at !== null && busy.length > 0 && (
        <>
          <p>{t('busy.title', { count: busy.length })}</p>
          <ul>
            {shown.map(({ userId, name, meetings }) => (
              <li key={userId}>
                <span aria-hidden="true">{BUSY_SIGN}</span>{' '}
                {t('busy.line', { name, when: busyWords(meetings, at.timeZone, t) })}
              </li>
            ))}
          </ul>
          {shown.length < busy.length && (
            <Button kind="quiet" onClick={() => setShowsAll(true)}>
              {t('busy.all', { count: busy.length })}
            </Button>
          )}
        </>
      )}
    </div>
  );
}
