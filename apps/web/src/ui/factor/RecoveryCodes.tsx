import { copyText } from '../../lib/clipboard.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { Button } from '../Button.tsx';
import './factor.css';
import './texts.ts';

interface RecoveryCodesProps {
  codes: readonly string[];
  /** Shows a title; a dialog has its own. */
  titled?: boolean;
  onKept: () => void;
}

/** The codes for emergencies, which are shown this once. */
export function RecoveryCodes({ codes, titled = false, onKept }: RecoveryCodesProps) {
  const t = useTexts('factor');
  const content = `${codes.join('\n')}\n`;
  return (
    <div data-testid="recovery-codes">
      {titled && <h2>{t('recovery.title')}</h2>}
      <p>{t('recovery.lead')}</p>
      <ul className="factor-codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="factor-buttons">
        <Button onClick={() => void copyText(content, () => t('recovery.copied'))}>{t('recovery.copy')}</Button>
        <a
          className="button"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(content)}`}
          download="rmeet-recovery-codes.txt"
        >
          {t('recovery.download')}
        </a>
        <Button kind="primary" data-testid="recovery-kept" onClick={onKept}>
          {t('recovery.kept')}
        </Button>
      </div>
    </div>
  );
}
