import { useState } from 'react';
import { Link } from 'react-router';
import { isApiError, sentenceOf, type ApiError } from '../../../lib/api/index.ts';
import { loginPath, watchPath } from '../../../lib/paths.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorState } from '../../../ui/states.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { useT } from '../texts.ts';
import { NO_ANSWERS, type Answers } from './opening.ts';

interface GateProps {
  id: string;
  /** Why it does not open; null while it is asked. */
  error: ApiError | null;
  isBusy: boolean;
  onAnswer: (answers: Answers) => void;
  onRetry: () => void;
}

/** Before the broadcast: what the viewer has to answer, or why it cannot be watched. */
export function Gate({ id, error, isBusy, onAnswer, onRetry }: GateProps) {
  const t = useT();
  if (isBusy || isApiError(error, 'WATCH_PASSWORD', 'WATCH_NAME'))
    return <Questions error={error} isBusy={isBusy} onAnswer={onAnswer} />;
  const hint = sentenceOf(error);
  if (isApiError(error, 'WATCH_SIGN_IN'))
    return (
      <div className="watch-card" data-testid="watch-sign-in">
        <h1>{t('gate.signIn')}</h1>
        <p>{hint}</p>
        <Link className="button button-primary button-large" to={loginPath(watchPath(id))} data-testid="watch-to-login">
          {t('gate.toSignIn')}
        </Link>
      </div>
    );
  if (isApiError(error, 'WATCH_NOT_ALLOWED'))
    return (
      <div className="watch-card" role="alert" data-testid="watch-not-allowed">
        <h1>{t('gate.notAllowed')}</h1>
        <p>{hint}</p>
      </div>
    );
  if (isApiError(error, 'NOT_FOUND', 'INVALID_INPUT'))
    return (
      <div className="watch-card" role="alert" data-testid="watch-missing">
        <h1>{t('gate.missing')}</h1>
        <p>{t('gate.missingHint')}</p>
      </div>
    );
  return <ErrorState {...(hint !== undefined && { hint })} retry={onRetry} />;
}

/** Asks for the password, and for the viewer's name where it is shown over the picture. */
function Questions({ error, isBusy, onAnswer }: Pick<GateProps, 'error' | 'isBusy' | 'onAnswer'>) {
  const t = useT();
  const [answers, setAnswers] = useState(NO_ANSWERS);
  // What was asked for stays, so that the form does not jump.
  const [asked, setAsked] = useState({ password: false, name: false });
  const [isTried, setTried] = useState(false);
  const code = error?.code ?? null;
  if (code === 'WATCH_PASSWORD' && !asked.password) setAsked({ ...asked, password: true });
  if (code === 'WATCH_NAME' && !asked.name) setAsked({ ...asked, name: true });
  const put = (change: Partial<Answers>) => setAnswers((now) => ({ ...now, ...change }));
  return (
    <form
      className="watch-card"
      data-testid="watch-form"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        onAnswer({ ...answers, name: answers.name.trim() });
      }}
    >
      <h1>{t('watch.title')}</h1>
      <p>{t(asked.name ? 'gate.nameHint' : 'gate.passwordHint')}</p>
      {asked.password && (
        <TextField
          label={t('gate.password')}
          type="password"
          autoComplete="off"
          autoFocus
          required
          maxLength={64}
          value={answers.password}
          error={code === 'WATCH_PASSWORD' && isTried ? sentenceOf(error) : undefined}
          data-testid="watch-password"
          onChange={({ target }) => put({ password: target.value })}
        />
      )}
      {asked.name && (
        <TextField
          label={t('gate.name')}
          autoComplete="name"
          autoFocus
          required
          maxLength={60}
          value={answers.name}
          data-testid="watch-name"
          onChange={({ target }) => put({ name: target.value })}
        />
      )}
      <Button kind="primary" large type="submit" busy={isBusy} data-testid="watch-open">
        {t('gate.open')}
      </Button>
    </form>
  );
}
