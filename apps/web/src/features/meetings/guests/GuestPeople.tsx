import { useTexts } from '../../../lib/i18n/index.ts';
import { formatTime } from '../format.ts';
import { useGuests } from './queries.ts';

/** Guests who used the links of a meeting; nothing if there never was a link. */
export function GuestPeople({ meetingId, hasLink }: { meetingId: string; hasLink: boolean }) {
  const t = useTexts('meetings');
  const people = useGuests(meetingId).data ?? [];
  if (people.length === 0 && !hasLink) return null;
  return (
    <>
      <h4>{t('guests.people')}</h4>
      {people.length === 0 ? (
        <p className="guest-link-lead">{t('guests.nobody')}</p>
      ) : (
        <ul className="guest-people">
          {people.map(({ termId, name, joinedAt, leftAt }) => (
            <li key={termId} data-testid="guest-person">
              <span>{name}</span>
              <small>
                {leftAt === null
                  ? t('guests.joined', { from: formatTime(joinedAt) })
                  : t('guests.stay', { from: formatTime(joinedAt), to: formatTime(leftAt) })}
              </small>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
