import { useState } from 'react';
import { copyText } from '../../../lib/clipboard.ts';
import { Button } from '../../../ui/Button.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { useT } from './texts.ts';

interface CopiedAddressProps {
  label: string;
  hint?: string;
  address: string;
  /** Hidden until it is shown: others may see the screen. */
  isSecret?: boolean;
  testId: string;
}

/** An address or a key to read and copy. */
export function CopiedAddress({ label, hint, address, isSecret = false, testId }: CopiedAddressProps) {
  const t = useT();
  const [isShown, setShown] = useState(!isSecret);
  return (
    <div className="live-address">
      <span>
        {label}
        {hint !== undefined && <small>{hint}</small>}
      </span>
      <div>
        <input
          readOnly
          type={isShown ? 'text' : 'password'}
          autoComplete="off"
          value={address}
          aria-label={label}
          data-testid={testId}
          onFocus={({ target }) => target.select()}
        />
        {isSecret && (
          <IconButton
            icon={isShown ? 'eyeOff' : 'eye'}
            label={t(isShown ? 'hide' : 'show', { name: label })}
            data-testid={`${testId}-show`}
            onClick={() => setShown(!isShown)}
          />
        )}
        <Button
          aria-label={`${t('copy')} ${label}`}
          data-testid={`${testId}-copy`}
          onClick={() => void copyText(address, () => t('copied'))}
        >
          <Icon name="copy" size={16} />
          {t('copy')}
        </Button>
      </div>
    </div>
  );
}
