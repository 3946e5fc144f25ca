import { deviceOf, type UserSession } from '@rmeet/contract';
import { useEffect, useId, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { useTexts } from '../../lib/i18n/index.ts';
import { ask, toast } from '../../lib/notify.ts';
import { formatTime } from '../../lib/time.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { useChangeFactors, useOwnFactors } from './factors.ts';
import { useEndSessions, useSessions } from './queries.ts';

/** The account's active sessions; all except this device can be signed out. */
export function SessionsCard() {
  const t = useTexts('profile');
  const common = useTexts('common');
  const titleId = useId();
  const list = useSessions();
  const root = useMeantCard('sessions', list.isSuccess);
  const ending = useEndSessions();
  const sessions = [...(list.data ?? [])].sort(
    (a, b) => Number(b.isCurrent) - Number(a.isCurrent) || b.lastSeenAt.localeCompare(a.lastSeenAt),
  );
  const others = sessions.filter(({ isCurrent }) => !isCurrent);

  const end = async (ids: readonly string[], text: string): Promise<void> => {
    const sure = await ask({
      title: t('sessions.endTitle'),
      text,
      okText: t('sessions.end'),
      cancelText: common('cancel'),
      danger: true,
    });
    if (sure) ending.mutate(ids, { onSuccess: () => toast('success', () => t('sessions.ended')) });
  };

  return (
    <section ref={root} className="profile-card profile-card-wide" aria-labelledby={titleId}>
      <h2 id={titleId}>{t('sessions.title')}</h2>
      <p className="profile-lead">{t('sessions.lead')}</p>
      <SignInMail />
      {list.isPending && <Loading />}
      {list.isError && !list.data && <ErrorState retry={() => void list.refetch()} />}
      <ul className="profile-sessions">
        {sessions.map((one) => (
          <SessionRow key={one.id} session={one} busy={ending.isPending} onEnd={(text) => void end([one.id], text)} />
        ))}
      </ul>
      {list.isSuccess && others.length === 0 && <p className="profile-lead">{t('sessions.onlyThis')}</p>}
      {others.length > 0 && (
        <div className="profile-buttons">
          <Button
            busy={ending.isPending}
            data-testid="sessions-end-others"
            onClick={() =>
              void end(
                others.map(({ id }) => id),
                t('sessions.endOthersText', { count: others.length }),
              )
            }
          >
            {t('sessions.endOthers')}
          </Button>
        </div>
      )}
    </section>
  );
}

/** Brings a card into sight that the address names, as links in mails do (`?card=sessions`). */
function useMeantCard(name: string, isLoaded: boolean) {
  const root = useRef<HTMLElement>(null);
  const [params] = useSearchParams();
  const isMeant = params.get('card') === name;
  useEffect(() => {
    if (isMeant && isLoaded) root.current?.scrollIntoView({ block: 'start' });
  }, [isMeant, isLoaded]);
  return root;
}

/** Whether a mail is sent about sign-ins on new devices. */
function SignInMail() {
  const t = useTexts('profile');
  const own = useOwnFactors();
  const { setSignInMail } = useChangeFactors();
  if (!own.data) return null;
  return (
    <label className="profile-check">
      <input
        type="checkbox"
        checked={own.data.signInMail}
        disabled={setSignInMail.isPending}
        data-testid="sign-in-mail"
        onChange={({ target }) => setSignInMail.mutate(target.checked)}
      />
      {t('sessions.mail')}
    </label>
  );
}

function SessionRow({ session, busy, onEnd }: { session: UserSession; busy: boolean; onEnd: (text: string) => void }) {
  const t = useTexts('profile');
  const { browser, system } = deviceOf(session.userAgent);
  const { address, place, method, secondFactor, createdAt, lastSeenAt, isCurrent } = session;
  const device = t('sessions.device', {
    browser: browser ?? t('sessions.unknownBrowser'),
    system: system ?? t('sessions.unknownSystem'),
  });
  return (
    <li data-testid="session-row">
      <div>
        <p className="profile-device" title={session.userAgent}>
          {device}
          {isCurrent && <span className="profile-current">{t('sessions.current')}</span>}
        </p>
        <p className="profile-session-facts">
          <span>
            <span className="visually-hidden">{`${t('sessions.address')}: `}</span>
            {place === null ? address : t('sessions.place', { place, address })}
          </span>
          <span>
            {secondFactor === null
              ? t(`sessions.method.${method}`)
              : t('sessions.withFactor', {
                  method: t(`sessions.method.${method}`),
                  factor: t(`sessions.factor.${secondFactor}`),
                })}
          </span>
          <span>{t('sessions.since', { time: formatTime(createdAt) })}</span>
          <span>{t('sessions.seen', { time: formatTime(lastSeenAt) })}</span>
        </p>
      </div>
      {!isCurrent && (
        <Button
          busy={busy}
          aria-label={t('sessions.endNamed', { device, address })}
          data-testid="session-end"
          onClick={() => onEnd(t('sessions.endText', { device, address }))}
        >
          {t('sessions.end')}
        </Button>
      )}
    </li>
  );
}
