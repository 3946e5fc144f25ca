import { bannerOf, NO_CONTROL, type BannerInput } from '@rmeet/conference';
import { useState } from 'react';
import { CaptionsBanner } from '../../shared/CaptionsBanner.tsx';
import { useT } from '../texts.tsx';

/** A small preview of the captions, rendered and animated as participants see them. */
export function CaptionsPreview({ form }: { form: BannerInput }) {
  const t = useT();
  // A fixed time, so that the animation does not restart with every letter.
  const [now] = useState(() => new Date());
  const banner = bannerOf({ ...form, seconds: 0 }, now);
  return (
    <figure className="desk-captions-preview" aria-label={t('screen.captions.preview')}>
      {banner === null && <span className="desk-captions-nothing">{t('screen.captions.preview')}</span>}
      {/* Screen readers do not repeat what is being typed. */}
      <div inert data-testid="desk-captions-preview">
        <CaptionsBanner control={{ ...NO_CONTROL, banner }} termId={null} clockAhead={0} />
      </div>
    </figure>
  );
}
