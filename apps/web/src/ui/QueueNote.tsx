import { useTexts } from '../lib/i18n/index.ts';
import { Button } from './Button.tsx';
import './queueNote.css';

/** Informs the user that many people are entering and that they need not do anything. Overlays the page. */
export function QueueNote({ onCancel }: { onCancel: () => void }) {
  const t = useTexts('common');
  return (
    <section className="wait-note" aria-label={t('entering.progress')} data-testid="wait-note">
      <p role="status">{t('entering.text')}</p>
      <progress aria-label={t('entering.progress')} />
      <Button data-testid="wait-cancel" onClick={onCancel}>
        {t('entering.cancel')}
      </Button>
    </section>
  );
}
