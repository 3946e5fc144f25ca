import { useRef, useState } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { Icon } from '../../ui/icons.tsx';
import { TextField } from '../../ui/TextField.tsx';

interface OrganisationFieldProps {
  text: string;
  isShown: boolean;
  onShow: () => void;
  onType: (text: string) => void;
}

/** The organisation of the account: hidden behind a link until it is needed. */
export function OrganisationField({ text, isShown, onShow, onType }: OrganisationFieldProps) {
  const t = useTexts('auth');
  const input = useRef<HTMLInputElement>(null);
  /** Opened by the link: the user wants to type. */
  const [isWanted, setWanted] = useState(false);
  if (!isShown) {
    const show = () => {
      setWanted(true);
      onShow();
    };
    return (
      <button type="button" className="login-organisation" data-testid="login-organisation-show" onClick={show}>
        {t('myOrganisation')}
      </button>
    );
  }
  const clear = () => {
    onType('');
    input.current?.focus();
  };
  return (
    <TextField
      ref={input}
      name="tenant"
      label={t('organisation')}
      value={text}
      onChange={(event) => onType(event.target.value)}
      autoComplete="organization"
      autoCapitalize="none"
      spellCheck={false}
      autoFocus={isWanted}
      maxLength={100}
      data-testid="login-organisation"
      suffix={
        text !== '' && (
          <button
            type="button"
            className="login-eye"
            aria-label={t('clearOrganisation')}
            data-testid="login-organisation-clear"
            onClick={clear}
          >
            <Icon name="close" />
          </button>
        )
      }
    />
  );
}
