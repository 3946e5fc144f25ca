import { useTexts } from '../../../lib/i18n/index.ts';
import { useClientInfo, useOfferedPackages } from '../downloads/clientInfo.ts';
import { menuEntriesOf } from '../downloads/rules.ts';
import type { Scanned, Viewer } from '../downloads/viewer.ts';
import '../downloads/texts.ts';

const SCANNED = ['android', 'ios'] as const;

interface DownloadMenuProps {
  viewer: Viewer;
  onScan: (name: Scanned) => void;
  /** An entry navigates to its package. */
  onLeave: () => void;
}

/** The packages that are offered; those for Android and iOS, which are scanned, are always there. */
export function DownloadMenu({ viewer, onScan, onLeave }: DownloadMenuProps) {
  const t = useTexts('downloads');
  // Refreshes the stored list, from which the menu is made.
  useOfferedPackages();
  const entries = menuEntriesOf(useClientInfo(), viewer);
  return (
    <div className="header-download-hanging">
      <ul aria-label={t('menu')} data-testid="download-menu-list">
        {entries.map(({ name, url }) => (
          <li key={name}>
            <a href={url} rel="noreferrer" data-testid={`menu-${name}`} onClick={onLeave}>
              {t(`type.${name}`)}
            </a>
          </li>
        ))}
        {SCANNED.map((name) => (
          <li key={name}>
            <button type="button" aria-haspopup="dialog" data-testid={`menu-${name}`} onClick={() => onScan(name)}>
              {t(`type.${name}`)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
