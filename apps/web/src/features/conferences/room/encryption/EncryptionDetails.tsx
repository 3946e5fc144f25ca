import { hasCapability, PLAIN_CAPABILITIES } from '@rmeet/conference';
import { useEffect, useId, useState, type FormEvent } from 'react';
import { securityCode, type Call } from '../../../../call/index.ts';
import { useLanguage } from '../../../../lib/i18n/index.ts';
import { keepMeetingKey, meetingKey, meetingKeyIn } from '../../../../lib/meetingKeys.ts';
import { toast } from '../../../../lib/notify.ts';
import { Button } from '../../../../ui/Button.tsx';
import { Popover } from '../../../../ui/Popover.tsx';
import { useStorePart } from '../../shared/use-store.ts';
import { useT } from '../../texts.ts';

export interface EncryptionDetailsProps {
  call: Call;
  anchor: HTMLElement;
  onClose: () => void;
}

/** What is encrypted, what is therefore not possible, the security code, and a way to another key. */
export function EncryptionDetails({ call, anchor, onClose }: EncryptionDetailsProps) {
  const t = useT();
  const language = useLanguage();
  const control = useStorePart(call.store, (state) => state.control);
  const number = useStorePart(call.store, ({ conference }) => conference?.numericId ?? '');
  const code = useSecurityCode(meetingKey(number));
  const missing = PLAIN_CAPABILITIES.filter((capability) => !hasCapability(control, capability)).map((capability) =>
    t(`encryption.capability.${capability}`),
  );
  const change = (key: string) => {
    keepMeetingKey(number, key);
    call.rekey(key);
    toast('success', () => t('encryption.changed'));
    onClose();
  };
  return (
    <Popover form label={t('encryption.badge')} anchor={anchor} testId="encryption" onClose={onClose}>
      <div className="encryption">
        <h2>{t('encryption.badge')}</h2>
        <p>{t('encryption.about')}</p>
        <p>
          {t('encryption.without', { things: new Intl.ListFormat(language, { type: 'disjunction' }).format(missing) })}
        </p>
        <p>{t('encryption.notCovered')}</p>
        <p className="encryption-code">
          <span>{t('encryption.code')}</span>
          <output data-testid="security-code">{code}</output>
          <small>{t('encryption.codeHint')}</small>
        </p>
        <KeyForm onKey={change} />
      </div>
    </Popover>
  );
}

function KeyForm({ onKey }: { onKey: (key: string) => void }) {
  const t = useT();
  const id = useId();
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const key = meetingKeyIn(text);
    setWrong(key === null);
    if (key !== null) onKey(key);
  };
  return (
    <form className="encryption-key" noValidate onSubmit={submit}>
      <label htmlFor={id}>{t('encryption.change')}</label>
      <input
        id={id}
        value={text}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={isWrong}
        aria-describedby={`${id}-note`}
        data-testid="key-input"
        onChange={(event) => setText(event.target.value)}
      />
      <p
        id={`${id}-note`}
        className={isWrong ? 'encryption-wrong' : 'encryption-hint'}
        role={isWrong ? 'alert' : undefined}
      >
        {t(isWrong ? 'encryption.keyFormat' : 'encryption.keyHint')}
      </p>
      <Button type="submit" data-testid="key-apply">
        {t('encryption.apply')}
      </Button>
    </form>
  );
}

/** Empty until it is computed. */
function useSecurityCode(key: string | null): string {
  const [code, setCode] = useState('');
  useEffect(() => {
    let isCurrent = true;
    if (key !== null) void securityCode(key).then((computed) => isCurrent && setCode(computed));
    return () => {
      isCurrent = false;
    };
  }, [key]);
  return code;
}
