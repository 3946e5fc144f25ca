import { copyText } from '../../lib/clipboard.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';

/** A text to read and copy. `label` says what it is. */
export function Code({ label, text }: { label: string; text: string }) {
  const t = useTexts('apiReference');
  return (
    <figure className="api-code">
      <figcaption>
        <span>{label}</span>
        <Button
          kind="quiet"
          aria-label={t('copyNamed', { name: label })}
          onClick={() => void copyText(text, () => t('copied'))}
        >
          <Icon name="copy" />
          {t('copy')}
        </Button>
      </figcaption>
      {/* Nothing inside can take the focus, so the text does, to be scrollable by keyboard. */}
      <pre tabIndex={0} aria-label={label}>
        {text}
      </pre>
    </figure>
  );
}
