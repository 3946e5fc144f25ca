import type { FactorDemand } from '@rmeet/contract';
import { QRCode } from 'antd';
import { sentenceOf } from '../../../lib/api/index.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { Loading } from '../../../ui/states.tsx';
import { useQrSignIn } from './useQrSignIn.ts';

const SIZE = 200;

/** Signs in by a QR code that a signed-in phone scans and confirms. */
export function QrSignIn(props: { onSignedIn: () => void; onFactor: (demand: FactorDemand) => void }) {
  const t = useTexts('auth');
  const { content, state, name, error, restart } = useQrSignIn(props);
  const isOver = error !== null || state === 'expired' || state === 'refused';
  const said = {
    waiting: t('qr.waiting'),
    scanned: t('qr.scanned', { name }),
    confirmed: t('qr.confirmed'),
    refused: t('qr.refused'),
    expired: t('qr.expired'),
  }[state];
  return (
    <div className="login-qr" data-testid="login-qr" data-state={isOver ? 'over' : state} data-content={content}>
      <div className="login-qr-picture">
        {content !== null && !isOver && state === 'waiting' ? (
          <div role="img" aria-label={t('qr.picture')}>
            <div aria-hidden="true">
              <QRCode value={content} size={SIZE} errorLevel="M" type="svg" bordered={false} />
            </div>
          </div>
        ) : isOver ? (
          <Button data-testid="login-qr-again" onClick={restart}>
            {t('qr.again')}
          </Button>
        ) : (
          <Loading />
        )}
      </div>
      <p role="status" data-testid="login-qr-state">
        {error !== null ? (sentenceOf(error) ?? t('unreachable')) : said}
      </p>
    </div>
  );
}
