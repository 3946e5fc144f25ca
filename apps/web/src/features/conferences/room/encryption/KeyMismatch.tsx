import { useState } from 'react';
import type { Call } from '../../../../call/index.ts';
import { Button } from '../../../../ui/Button.tsx';
import { useStorePart } from '../../shared/use-store.ts';
import { useT } from '../../texts.ts';
import { LazyEncryptionDetails } from './LazyEncryptionDetails.tsx';

/** Says whose media cannot be decrypted, and offers to change the key. */
export function KeyMismatch({ call, termIds }: { call: Call; termIds: readonly string[] }) {
  const t = useT();
  const terminals = useStorePart(call.store, (state) => state.control.terminals);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [first = '', ...others] = termIds.map((termId) => terminals[termId]?.name ?? '');
  const names = others.length === 0 ? first : t('encryption.others', { name: first, count: others.length });
  return (
    <div className="banner banner-warning" role="alert" data-testid="call-banner" data-state="key">
      {t('encryption.mismatch', { names })}
      <Button data-testid="key-change" onClick={(event) => setAnchor(anchor === null ? event.currentTarget : null)}>
        {t('encryption.change')}
      </Button>
      {anchor !== null && <LazyEncryptionDetails call={call} anchor={anchor} onClose={() => setAnchor(null)} />}
    </div>
  );
}
