import type { EntryLook, PeopleInside } from '@rmeet/contract';
import { useNow } from '../../../lib/useNow.ts';
import { useLanguage } from '../../../lib/i18n/index.ts';
import { startTimeText } from '../../../lib/startTimeText.ts';
import { useT, type T } from '../texts.ts';

const MINUTE = 60_000;
/** The Swedish locale writes `14:30`, as the app does in both languages. */
const time = new Intl.DateTimeFormat('sv-SE', { timeStyle: 'short' });

/** What is known about a meeting before joining it. */
export interface KnownMeeting {
  subject: string;
  hostName: string;
  startTime: string;
  duration: number;
  /** It is end-to-end encrypted. */
  e2ee: boolean;
  /** It is being recorded, or will be as soon as it begins. */
  recorded: boolean;
  inside: PeopleInside;
  /** The look of its organisation. */
  look: EntryLook;
}

interface MeetingDetailsProps {
  meeting: KnownMeeting;
  /** The host admits participants. */
  waitingRoom?: boolean;
  /** Whether to tell who is inside. */
  withInside?: boolean;
  testId: string;
}

/** Host and time of a meeting, and who is inside, for people who are about to join. */
export function MeetingDetails({ meeting, waitingRoom = false, withInside = true, testId }: MeetingDetailsProps) {
  const t = useT();
  const locale = useLanguage();
  const now = new Date(useNow());
  const { hostName, startTime, duration, inside, recorded } = meeting;
  const start = new Date(startTime);
  const end = new Date(start.getTime() + duration * MINUTE);
  const endsSameDay = end.toDateString() === start.toDateString();
  const zone =
    new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset' })
      .formatToParts(start)
      .find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return (
    <dl className="join-facts" data-testid={testId}>
      <div>
        <dt>{t('guest.host')}</dt>
        <dd>{hostName}</dd>
      </div>
      <div>
        <dt>{t('guest.time')}</dt>
        <dd>
          {t('guest.timeZone', {
            start: startTimeText(start, now, locale),
            end: endsSameDay ? time.format(end) : startTimeText(end, now, locale),
            zone,
          })}
        </dd>
      </div>
      {recorded && (
        <div>
          <dt>{t('recorded.title')}</dt>
          <dd data-testid="join-recorded">{t('recorded.ahead')}</dd>
        </div>
      )}
      {withInside && (
        <div>
          <dt>{t('ahead.inside')}</dt>
          <dd data-testid="join-inside" data-count={inside.count}>
            {insideText(inside, locale, t)}
            {waitingRoom && ` · ${t('guest.waiting')}`}
          </dd>
        </div>
      )}
    </dl>
  );
}

/** `Alice, Bob and 3 others`, `5 people`, or that nobody is inside. */
function insideText({ count, names }: PeopleInside, locale: string, t: T): string {
  if (count === 0) return t('ahead.nobody');
  if (names.length === 0) return t('ahead.people', { count });
  const others = count - names.length;
  const all = others > 0 ? [...names, t('ahead.others', { count: others })] : names;
  return new Intl.ListFormat(locale, { type: 'conjunction' }).format(all);
}
