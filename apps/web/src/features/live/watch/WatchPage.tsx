import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useParams } from 'react-router';
import { ApiError } from '../../../lib/api/index.ts';
import { session } from '../../../lib/browser.ts';
import { LIVE_MEETINGS, loginPath, watchPath } from '../../../lib/paths.ts';
import { LanguageSwitch } from '../../../ui/LanguageSwitch.tsx';
import { Logo } from '../../../ui/Logo.tsx';
import { Loading } from '../../../ui/states.tsx';
import { useT } from '../texts.ts';
import { Gate } from './Gate.tsx';
import { NO_ANSWERS, openWatch, type Answers, type Opened } from './opening.ts';
import { Room } from './Room.tsx';
import './watch.css';

/** The page of a broadcast, for viewers with and without an account. */
export function WatchPage() {
  const t = useT();
  const { id = '' } = useParams();
  const [answers, setAnswers] = useState<Answers>(NO_ANSWERS);
  // Counts the times that it was opened: once more after the viewer was refused.
  const [round, setRound] = useState(0);
  const opening = useQuery<Opened>({
    queryKey: ['watch', id, answers, round],
    queryFn: () => openWatch(id, answers),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    meta: { quiet: true },
  });
  const title = opening.data?.broadcast.subject ?? t('watch.title');
  useEffect(() => {
    document.title = `${title} · Rmeet`;
  }, [title]);
  const isAnswered = answers.password !== '' || answers.name !== '';
  const content = () => {
    if (opening.data)
      return (
        <Room
          key={opening.data.view}
          id={id}
          opened={opening.data}
          answers={answers}
          onRefused={() => setRound((now) => now + 1)}
        />
      );
    if (opening.isPending && !isAnswered) return <Loading />;
    return (
      <Gate
        id={id}
        error={opening.error instanceof ApiError ? opening.error : null}
        isBusy={opening.isPending}
        onAnswer={setAnswers}
        onRetry={() => void opening.refetch()}
      />
    );
  };
  return (
    <div className="watch-page" data-open={opening.data !== undefined}>
      <Header id={id} />
      <main>{content()}</main>
    </div>
  );
}

/** Viewers without an account can sign in, those with one get back to the app. */
function Header({ id }: { id: string }) {
  const t = useT();
  const isGuest = session.token === null;
  return (
    <header className="watch-header">
      <Logo />
      <div>
        <Link
          className="watch-sign-in"
          to={isGuest ? loginPath(watchPath(id)) : LIVE_MEETINGS}
          data-testid={isGuest ? 'watch-sign-in-link' : 'watch-to-list'}
        >
          {t(isGuest ? 'watch.signIn' : 'watch.toList')}
        </Link>
        <LanguageSwitch />
      </div>
    </header>
  );
}
