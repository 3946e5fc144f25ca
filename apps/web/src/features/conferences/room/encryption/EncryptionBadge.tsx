import { useState } from 'react';
import type { Call } from '../../../../call/index.ts';
import { Icon } from '../../../../ui/icons.tsx';
import { useStorePart } from '../../shared/use-store.ts';
import { useT } from '../../texts.ts';
import { LazyEncryptionDetails } from './LazyEncryptionDetails.tsx';
import './encryption.css';

/** A lock in an end-to-end encrypted meeting; it opens an explanation and the key. */
export function EncryptionBadge({ call }: { call: Call }) {
  const t = useT();
  const e2ee = useStorePart(call.store, (state) => state.e2ee);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  if (!e2ee) return null;
  return (
    <>
      <button
        type="button"
        className="standing-encrypted"
        title={t('encryption.badge')}
        aria-expanded={anchor !== null}
        data-testid="encrypted"
        onClick={(event) => setAnchor(anchor === null ? event.currentTarget : null)}
      >
        <Icon name="encrypted" size={15} />
        <span className="standing-encrypted-text">{t('encryption.badge')}</span>
      </button>
      {anchor !== null && <LazyEncryptionDetails call={call} anchor={anchor} onClose={() => setAnchor(null)} />}
    </>
  );
}
