import type { ReactNode } from 'react';
import { copyText } from '../../lib/clipboard.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { Icon } from '../../ui/icons.tsx';
import { IconButton } from '../../ui/IconButton.tsx';

/** The result of a test. */
export function Outcome({ isGood, children }: { isGood: boolean; children: ReactNode }) {
  return (
    <div className={isGood ? 'setup-outcome setup-good' : 'setup-outcome setup-bad'}>
      <span className="setup-mark" aria-hidden="true">
        <Icon name={isGood ? 'check' : 'cancel'} />
      </span>
      <div>{children}</div>
    </div>
  );
}

/** Lines to copy into a file or a terminal. */
export function Lines({ text }: { text: string }) {
  const t = useTexts('setup');
  return (
    <div className="setup-lines">
      <pre className="setup-command">{text}</pre>
      <IconButton icon="copy" label={t('copy')} onClick={() => void copyText(text)} data-testid="setup-copy" />
    </div>
  );
}
