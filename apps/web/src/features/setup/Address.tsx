import { useState, type KeyboardEvent } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { isLoopback, originOf } from './answers.ts';

interface AddressProps {
  /** RMEET_PUBLIC_URL. */
  publicUrls: readonly string[];
  /** This page's address as the server saw it. */
  seenAs: string;
  usesThis: boolean;
  onChange: (usesThis: boolean) => void;
  /** The setup link under another address, with what is typed. */
  linkUnder: (origin: string) => string;
}

/** The address this page is at has been tried by opening it; another one is tried by opening the link there. */
export function Address({ publicUrls, seenAs, usesThis, onChange, linkUnder }: AddressProps) {
  const t = useTexts('setup');
  const { origin } = location;
  if (publicUrls.length > 0) return <p className="setup-wide setup-name">{t('address.fixed', { urls: publicUrls.join(', ') })}</p>;
  return (
    <div className="setup-wide setup-address">
      {([true, false] as const).map((use) => (
        <label key={String(use)} className="setup-choice">
          <input type="radio" name="address" checked={usesThis === use} onChange={() => onChange(use)} data-testid={use ? 'setup-this' : 'setup-later'} />
          <span>{use ? t('address.use', { origin }) : t('address.later')}</span>
        </label>
      ))}
      {isLoopback(origin) && <p className="setup-hint">{t('address.loopback', { origin })}</p>}
      {seenAs !== origin && <p className="setup-fault">{t('address.proxy', { seen: seenAs })}</p>}
      <OtherAddress linkUnder={linkUnder} />
    </div>
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
        label={t('address.other')} hint={t('address.otherHint')} error={isWrong ? t('address.wrong') : undefined} value={typed} placeholder="https://meet.example.org"
        inputMode="url" autoComplete="off" autoCapitalize="none" spellCheck={false} maxLength={300} data-testid="setup-other" onKeyDown={openOnEnter}
        onChange={({ target }) => {
          setTyped(target.value);
          setWrong(false);
        }}
      />
      <Button onClick={open} data-testid="setup-other-open">{t('address.open')}</Button>
    </div>
  );
}
