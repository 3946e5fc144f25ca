import { bannerOf, NO_CONTROL, type BannerInput } from '@rmeet/conference';
import { useState } from 'react';
import { CaptionsBanner } from '../../shared/CaptionsBanner.tsx';
import { useT } from '../texts.tsx';

/** Captions over a picture in small, drawn and moved as everybody will see them. */
export function CaptionsPreview({ form }: { form: BannerInput }) {
  const t = useT();
  // Always of the same moment, so that what moves does not begin anew with every letter.
  const [now] = useState(() => new Date());
  const banner = bannerOf({ ...form, seconds: 0 }, now);
  return (
    <figure className="desk-captions-preview" aria-label={t('screen.captions.preview')}>
      {banner === null && <span className="desk-captions-nothing">{t('screen.captions.preview')}</span>}
      {/* What is typed is not read out once more. */}
      <div inert data-testid="desk-captions-preview">
        <CaptionsBanner control={{ ...NO_CONTROL, banner }} termId={null} clockAhead={0} />
      </div>
    </figure>
  );
}
