import { useState, type KeyboardEvent } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { isIp, isLoopback, originOf } from './answers.ts';

interface AddressProps {
  /** RMEET_PUBLIC_URL. */
  publicUrls: readonly string[];
  /** This page's URL as the server sees it. */
  seenAs: string;
  usesThis: boolean;
  onChange: (usesThis: boolean) => void;
  /** The setup link under a different origin, with the typed values. */
  linkUnder: (origin: string) => string;
}

const EXAMPLE = 'https://meet.example.org';

/** The page's own URL is proven by having opened it; a different one is tested by opening the link there. */
export function Address({ publicUrls, seenAs, usesThis, onChange, linkUnder }: AddressProps) {
  const t = useTexts('setup');
  const { origin } = location;
  if (publicUrls.length > 0)
    return <p className="setup-wide setup-hint">{t('address.fixed', { urls: publicUrls.join(', ') })}</p>;
  return (
    <div className="setup-wide setup-address">
      <Choice
        checked={usesThis}
        onChange={() => onChange(true)}
        label={t('address.use', { origin })}
        testId="setup-this"
      />
      {isLoopback(origin) && <p className="setup-hint setup-under">{t('address.loopback', { origin })}</p>}
      {isIp(origin) && !isLoopback(origin) && <p className="setup-hint setup-under">{t('address.ip')}</p>}
      <Choice checked={!usesThis} onChange={() => onChange(false)} label={t('address.later')} testId="setup-later" />
      {seenAs !== origin && <p className="setup-fault">{t('address.proxy', { seen: seenAs })}</p>}
      <OtherAddress linkUnder={linkUnder} />
    </div>
  );
}

function Choice({
  label,
  testId,
  ...input
}: {
  label: string;
  testId: string;
  checked: boolean;
  onChange: () => void;
}) {
  return (
    <label className="setup-choice">
      <input type="radio" name="address" data-testid={testId} {...input} />
      <span>{label}</span>
    </label>
  );
}

function OtherAddress({ linkUnder }: Pick<AddressProps, 'linkUnder'>) {
  const t = useTexts('setup');
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const open = () => {
    const origin = originOf(typed);
    setWrong(origin === null);
    if (origin !== null) location.assign(linkUnder(origin));
  };
  const openOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    open();
  };
  return (
    <div className="setup-line">
      <TextField
        label={t('address.other')}
        hint={t('address.otherHint')}
        error={isWrong ? t('address.wrong') : undefined}
        value={typed}
        placeholder={EXAMPLE}
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={300}
        data-testid="setup-other"
        onKeyDown={openOnEnter}
        onChange={({ target }) => {
          setTyped(target.value);
          setWrong(false);
        }}
      />
      <Button onClick={open} data-testid="setup-other-open">
        {t('address.open')}
      </Button>
    </div>
  );
}
