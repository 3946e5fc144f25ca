import { useTexts } from '../../../lib/i18n/index.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { QrCode } from '../../../ui/QrCode.tsx';
import { ErrorState, Loading } from '../../../ui/states.tsx';
import '../../../ui/pageDialog.css';
import { useClientInfo, useOfferedPackages } from '../downloads/clientInfo.ts';
import { codeOf, packageIn } from '../downloads/rules.ts';
import type { Scanned } from '../downloads/viewer.ts';
import '../downloads/texts.ts';
import './scanDialog.css';

/** Of codes in dialogs, pixels (product document, section 9). */
const CODE_SIZE = 150;

/** A code that a phone scans to get its client. */
export function ScanDialog({ name, onClose }: { name: Scanned; onClose: () => void }) {
  const t = useTexts('downloads');
  const { isPending, isError, refetch } = useOfferedPackages();
  const found = packageIn(useClientInfo(), name);
  const content = () => {
    if (found)
      return (
        <>
          <QrCode
            value={codeOf(found, location.origin)}
            size={CODE_SIZE}
            label={t('scanTo', { name: t(`type.${name}`) })}
            testId={`scan-code-${name}`}
          />
          <p>{t(`scan.${name}Hint`)}</p>
        </>
      );
    if (isPending) return <Loading />;
    return isError ? <ErrorState retry={() => void refetch()} /> : <p role="status">{t('scan.missing')}</p>;
  };
  return (
    <div className="page-dialog scan-dialog">
      <Dialog title={t(`scan.${name}`)} testId="scan-dialog" onClose={onClose}>
        <div className="scan-dialog-content">{content()}</div>
      </Dialog>
    </div>
  );
}
