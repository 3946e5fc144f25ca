import type { BannerInput } from '@rmeet/contract';
import { useT } from '../texts.tsx';

/** How captions will look over a picture, in small; it moves as they will. */
export function CaptionsPreview({ form: { text, position, size, scroll, language } }: { form: BannerInput }) {
  const t = useT();
  const isEmpty = text.trim() === '';
  return (
    <div className="desk-captions-preview" role="img" aria-label={isEmpty ? t('screen.captions.previewEmpty') : t('screen.captions.preview', { text })}>
      {isEmpty ? (
        <span className="desk-captions-nothing">{t('screen.captions.previewEmpty')}</span>
      ) : (
        <div className="desk-captions-band" data-position={position} data-size={size} data-scroll={scroll} data-testid="desk-captions-preview">
          {/* Begins anew with what it says. */}
          <p key={`${scroll} ${text}`} lang={language}>{text}</p>
        </div>
      )}
    </div>
  );
}
