import { QRCode } from 'antd';
import type { TotpSecret as Secret } from '@rmeet/contract';
import { copyText } from '../../lib/clipboard.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { Button } from '../Button.tsx';
import './factor.css';
import './texts.ts';

const SIZE = 180;

/** The secret of an authenticator app: as a picture to scan, and to type. */
export function TotpSecret({ secret, uri }: Secret) {
  const t = useTexts('factor');
  const spaced = secret.replace(/(.{4})(?=.)/g, '$1 ');
  return (
    <div className="factor-secret">
      <p>{t('setUp.scan')}</p>
      <div className="factor-qr" role="img" aria-label={t('setUp.picture')} data-testid="totp-qr">
        <div aria-hidden="true">
          <QRCode value={uri} size={SIZE} errorLevel="M" type="svg" bordered={false} />
        </div>
      </div>
      <p>{t('setUp.manual')}</p>
      <div className="factor-key">
        <code data-testid="totp-secret">{spaced}</code>
        <Button onClick={() => void copyText(secret)}>{t('setUp.copy')}</Button>
      </div>
    </div>
  );
}
