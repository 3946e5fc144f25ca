import { useState, type FormEvent } from 'react';
import type { contract, Data } from '@rmeet/contract';
import { sentenceOf } from '../../lib/api/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { useErrorFocus } from '../../lib/useErrorFocus.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useTestMail } from './checks.ts';
import { Lines, Outcome } from './Outcome.tsx';

type MailSettings = Data<typeof contract.setup.checks>['mail'];

/** Format for an environment file or a shell. */
const SETTINGS = 'RMEET_SMTP_URL=smtp://user:password@mail.example.org:587\nRMEET_MAIL_FROM=meet@example.org';
/** Loose on purpose: only the mail server knows which addresses exist. */
const ADDRESS = /^[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+$/;

/** Whether mail is configured, and a test of it. */
export function MailTest({ mail, email }: { mail: MailSettings; email: string }) {
  const t = useTexts('setup');
  if (mail.isConfigured) {
    return (
      <>
        <p>{t('mail.through', { server: mail.server, sender: mail.sender })}</p>
        <TestForm mail={mail} email={email} />
      </>
    );
  }
  return (
    <>
      <p>{t('mail.none')}</p>
      <Lines text={SETTINGS} />
      <p className="setup-hint">{t('mail.noneHint')}</p>
    </>
  );
}

function TestForm({ mail, email }: { mail: MailSettings; email: string }) {
  const t = useTexts('setup');
  const { root, focusFirstError } = useErrorFocus();
  const [to, setTo] = useState(email);
  const [isWrong, setWrong] = useState(false);
  const test = useTestMail();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isAddress = ADDRESS.test(to.trim());
    setWrong(!isAddress);
    if (isAddress) test.mutate(to.trim());
    else focusFirstError();
  };
  return (
    <form ref={root} noValidate onSubmit={submit} className="setup-mail">
      <div className="setup-line">
        <TextField
          label={t('mail.to')}
          type="email"
          autoComplete="email"
          maxLength={254}
          value={to}
          error={isWrong ? t('mail.wrong') : undefined}
          data-testid="setup-mail-to"
          onChange={({ target }) => {
            setTo(target.value);
            setWrong(false);
          }}
        />
        <Button type="submit" busy={test.isPending} data-testid="setup-mail-send">
          {t('mail.send')}
        </Button>
      </div>
      <div role="status" className="setup-outcomes" data-testid="setup-mail-result">
        {test.isPending && <p className="setup-hint">{t('mail.sending')}</p>}
        {!test.isPending && test.data && <Ended {...test.data} {...mail} />}
        {test.isError && <Outcome isGood={false}>{sentenceOf(test.error) ?? t('unreachable')}</Outcome>}
      </div>
    </form>
  );
}

function Ended({
  to,
  failure,
  detail,
  server,
  sender,
}: Data<typeof contract.setup.sendTestMail> & { to: string; server: string; sender: string }) {
  const t = useTexts('setup');
  if (failure === null) return <Outcome isGood>{t('mail.taken', { to })}</Outcome>;
  return (
    <Outcome isGood={false}>
      <p>{t(`mail.failure.${failure}`, { to, server, sender })}</p>
      {detail !== '' && <p className="setup-detail">{detail}</p>}
    </Outcome>
  );
}
