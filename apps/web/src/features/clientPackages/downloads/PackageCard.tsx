import { packageNameOf, type OfferedPackage } from '@rmeet/contract';
import { copyText } from '../../../lib/clipboard.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { sizeWords } from '../../../lib/sizeWords.ts';
import { formatDay } from '../../../lib/time.ts';
import { Icon } from '../../../ui/icons.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { QrCode } from '../../../ui/QrCode.tsx';
import { codeOf, isScanned, packageFor } from './rules.ts';

/** Of codes on pages, pixels (product document, section 9). */
const CODE_SIZE = 140;
/** The least version of codes on pages (product document, section 9). */
const CODE_MIN_VERSION = 6;

/** Version, size and day of a package. */
export function Facts({ offered: { version, file, publishedAt } }: { offered: OfferedPackage }) {
  const t = useTexts('downloads');
  const facts = [
    t('version', { version }),
    ...(file ? [sizeWords(file.size)] : []),
    t('published', { day: formatDay(publishedAt) }),
  ];
  return (
    <p className="package-version">
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
    </p>
  );
}

/** The link to a package: a file is saved, another one leads to a store or a page. */
export function PackageLink({ offered, large = false }: { offered: OfferedPackage; large?: boolean }) {
  const t = useTexts('downloads');
  const name = packageNameOf(offered.type);
  if (name === undefined) return null;
  const isStore = name === 'ios' || name === 'maxhubIos';
  return (
    <a
      className={large ? 'button button-primary button-large' : 'button button-primary'}
      href={offered.url}
      rel="noreferrer"
      data-testid={`download-${name}`}
    >
      <Icon name="download" />
      {t(offered.file ? 'download' : isStore ? 'store' : 'openLink')}
      <span className="visually-hidden">{t('downloadFor', { name: t(`type.${name}`) })}</span>
    </a>
  );
}

/** One package: what it is, its download, its code if a device with a camera installs it, and its checksum. */
export function PackageCard({ offered }: { offered: OfferedPackage }) {
  const t = useTexts('downloads');
  const name = packageNameOf(offered.type);
  if (name === undefined) return null;
  const words = t(`type.${name}`);
  const { file, minimalVersion, notes } = offered;
  return (
    <li className="package-card" data-testid={`package-${name}`}>
      <div className="package-facts">
        <h3>
          {words}
          {packageFor(navigator.userAgent) === name && <span className="package-mark">{t('thisDevice')}</span>}
        </h3>
        <Facts offered={offered} />
        {minimalVersion !== null && <p className="package-version">{t('minimal', { version: minimalVersion })}</p>}
        {notes !== '' && (
          <p className="package-notes" title={notes}>
            {notes}
          </p>
        )}
        <p className="package-link">
          <PackageLink offered={offered} />
        </p>
        {file && <Checksum sha256={file.sha256} />}
      </div>
      {isScanned(name) && (
        <QrCode
          value={codeOf(offered, location.origin)}
          size={CODE_SIZE}
          level="H"
          minVersion={CODE_MIN_VERSION}
          label={t('scanTo', { name: words })}
          testId={`qr-${name}`}
        />
      )}
    </li>
  );
}

function Checksum({ sha256 }: { sha256: string }) {
  const t = useTexts('downloads');
  return (
    <details className="package-checksum">
      <summary>{t('checksum')}</summary>
      <p>
        {t('sha256')}
        <code>{sha256}</code>
        <IconButton icon="copy" label={t('copy')} onClick={() => void copyText(sha256)} />
      </p>
    </details>
  );
}
