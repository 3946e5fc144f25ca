import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useParams } from 'react-router';
import { useAddressParams } from '../../../lib/addressParams.ts';
import { api, isApiError, sentenceOf } from '../../../lib/api/index.ts';
import { formatTime } from '../../../lib/time.ts';
import { Button } from '../../../ui/Button.tsx';
import { LanguageSwitch } from '../../../ui/LanguageSwitch.tsx';
import { PageHelp } from '../../../ui/PageHelp.tsx';
import { Logo } from '../../../ui/Logo.tsx';
import { ErrorState, Loading } from '../../../ui/states.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { PlayerFrame } from '../player/PlayerFrame.tsx';
import { Signer } from '../player/signer.ts';
import { usePlayer } from '../player/usePlayer.ts';
import { useT } from '../texts.ts';
import { clockWords } from '../words.ts';
import { SharedSave } from './SharedSave.tsx';
import { SharedChapters } from './SharedChapters.tsx';
import './shared.css';

interface Answers {
  password: string;
  name: string;
}
type Opened = Awaited<ReturnType<typeof api.recordings.openShare>>;

/** Under which this tab keeps the view that a link gave it: a reload is no other view. */
const viewKey = (token: string): string => `recording-view:${token}`;

/** Opens a link, or goes on with the view that this tab has. */
async function open(token: string, answers: Answers): Promise<Opened> {
  const view = sessionStorage.getItem(viewKey(token)) ?? '';
  try {
    const opened = await api.recordings.openShare({ body: { token, ...answers, view } });
    sessionStorage.setItem(viewKey(token), opened.view);
    return opened;
  } catch (error) {
    sessionStorage.removeItem(viewKey(token));
    throw error;
  }
}

/** A recording that a link opens without sign-in. */
export function SharedRecordingPage() {
  const t = useT();
  const { token = '' } = useParams();
  const [answers, setAnswers] = useState<Answers>({ password: '', name: '' });
  const opening = useQuery({
    queryKey: ['shared-recording', token, answers],
    queryFn: () => open(token, answers),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    meta: { quiet: true },
  });
  const title = opening.data?.recording.subject ?? t('shared.title');
  useEffect(() => {
    document.title = `${title} · Rmeet`;
  }, [title]);
  const content = () => {
    if (opening.data) return <Opened opened={opening.data} />;
    const { error } = opening;
    const asked = isApiError(error, 'SHARE_PASSWORD', 'SHARE_NAME');
    if (asked || (opening.isPending && hasAnswers(answers)))
      return (
        <Questions
          error={asked ? error.code : null}
          sentence={asked ? sentenceOf(error) : undefined}
          isBusy={opening.isPending}
          onAnswer={setAnswers}
        />
      );
    if (opening.isPending) return <Loading />;
    if (isApiError(error, 'SHARE_ENDED', 'NOT_FOUND', 'INVALID_INPUT'))
      return (
        <div className="shared-ended" role="alert" data-testid="share-ended">
          <h1>{t('shared.ended')}</h1>
          <p>{t('shared.endedHint')}</p>
        </div>
      );
    const hint = sentenceOf(error);
    return <ErrorState {...(hint !== undefined && { hint })} retry={() => void opening.refetch()} />;
  };
  return (
    <div className="shared-page">
      <header className="shared-header">
        <Logo />
        <span className="shared-links">
          <PageHelp page="shared-recording" />
          <LanguageSwitch />
        </span>
      </header>
      <main>{content()}</main>
    </div>
  );
}

const NO_ANSWERS: Answers = { password: '', name: '' };
const hasAnswers = ({ password, name }: Answers): boolean => password !== '' || name !== '';

interface QuestionsProps {
  /** What the server misses; null while it is asked. */
  error: string | null;
  sentence: string | undefined;
  isBusy: boolean;
  onAnswer: (answers: Answers) => void;
}

/** Asks for the link's password, and for the viewer's name where it is shown over the picture. */
function Questions({ error, sentence, isBusy, onAnswer }: QuestionsProps) {
  const t = useT();
  const [answers, setAnswers] = useState(NO_ANSWERS);
  // What was asked for stays, so that the form does not jump.
  const [asked, setAsked] = useState({ password: false, name: false });
  const [isTried, setTried] = useState(false);
  if (error === 'SHARE_PASSWORD' && !asked.password) setAsked({ ...asked, password: true });
  if (error === 'SHARE_NAME' && !asked.name) setAsked({ ...asked, name: true });
  const put = (change: Partial<Answers>) => setAnswers((now) => ({ ...now, ...change }));
  return (
    <form
      className="shared-form"
      data-testid="share-form"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        onAnswer({ ...answers, name: answers.name.trim() });
      }}
    >
      <h1>{t('shared.title')}</h1>
      <p>{t(asked.name ? 'shared.nameHint' : 'shared.passwordHint')}</p>
      {asked.password && (
        <TextField
          label={t('shared.password')}
          type="password"
          autoComplete="off"
          autoFocus
          maxLength={64}
          value={answers.password}
          error={error === 'SHARE_PASSWORD' && isTried ? sentence : undefined}
          data-testid="share-password"
          onChange={(event) => put({ password: event.target.value })}
        />
      )}
      {asked.name && (
        <TextField
          label={t('shared.name')}
          autoComplete="name"
          autoFocus
          required
          maxLength={60}
          value={answers.name}
          data-testid="share-name"
          onChange={(event) => put({ name: event.target.value })}
        />
      )}
      <Button kind="primary" large type="submit" busy={isBusy} data-testid="share-open">
        {t('shared.open')}
      </Button>
    </form>
  );
}

function Opened({ opened: { view, recording, timeline, download } }: { opened: Opened }) {
  const [params] = useAddressParams();
  const [startAt] = useState(() => Number.parseInt(params.get('t') ?? '0', 10) * 1_000 || 0);
  const signer = useMemo(() => new Signer(() => api.recordings.sharedPlayback({ body: { view } })), [view]);
  const player = usePlayer({ recording, signer, whole: false, startAt });
  const watermark = useQuery({
    queryKey: ['shared-watermark', view],
    queryFn: async () => (await signer.playback()).watermark,
    staleTime: Infinity,
    meta: { quiet: true },
  });
  // Never without the watermark, not even at first.
  if (watermark.isPending) return <Loading />;
  return (
    <article className="shared-recording">
      <h1>{recording.subject}</h1>
      <p className="shared-facts">{[formatTime(recording.startTime), clockWords(player.length)].join(' · ')}</p>
      <PlayerFrame player={player} subject={recording.subject} shown={timeline} watermark={watermark.data ?? null} />
      {download && <SharedSave view={view} hasWatermark={watermark.data !== null} />}
      <SharedChapters player={player} timeline={timeline} />
    </article>
  );
}
