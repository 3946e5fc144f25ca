import { isEncryptionSupported } from '../../../call/index.ts';
import { Icon } from '../../../ui/icons.tsx';
import { useT } from '../texts.ts';

/** Says that the meeting is end-to-end encrypted, and whether this browser can take part. */
export function EncryptionNote() {
  const t = useT();
  const isSupported = isEncryptionSupported();
  return (
    <p
      className={isSupported ? 'join-encrypted' : 'join-encrypted join-error'}
      role={isSupported ? undefined : 'alert'}
      data-testid="join-encrypted"
    >
      <Icon name="encrypted" size={16} />
      <span>{t(isSupported ? 'encryption.joining' : 'encryption.unsupported')}</span>
    </p>
  );
}
